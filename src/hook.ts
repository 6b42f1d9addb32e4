// What a hook imports, once an event: no schema and no executor is loaded by it.
export * from './authoring/index.ts';
