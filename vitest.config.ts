import { defineConfig } from 'vitest/config';

const shared = {
  environment: 'node',
  pool: 'forks',
  // Real processes and real sandboxes: deadlines only end hangs, they measure nothing.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry: 0,
} as const;

/** Tests that run the built program need dist/; the others must not wait for a build. */
const needsBuild = ['test/authoring/**/*.test.ts', 'test/cli/**/*.test.ts', 'test/adversarial/**/*.test.ts'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'source', include: ['test/**/*.test.ts'], exclude: needsBuild } },
      { test: { ...shared, name: 'built', include: needsBuild, globalSetup: 'test/support/build.ts' } },
    ],
  },
});
