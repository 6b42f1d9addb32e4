/** A foreign host's name for an event: whose it is, and which events here carry it. */
export interface ForeignEventName {
  readonly host: string;
  readonly events: readonly string[];
}

const extra = 'Extra';
const zett = 'zett';
const standardAgents = 'Standard Agents';
const claudeCode = 'Claude Code';

const names: readonly (readonly [name: string, host: string, ...events: string[]])[] = [
  ['on_engine_start', extra, 'engine:start'],
  ['on_engine_stop', extra, 'engine:stop'],
  ['on_run_start', extra, 'run:start'],
  ['on_run_end', extra, 'run:end'],
  ['on_run_error', extra, 'run:error'],
  ['before_tool_call', extra, 'tool:before'],
  ['after_tool_call', extra, 'tool:after'],
  ['transform_tool_result', extra, 'tool:after'],
  ['on_tool_error', extra, 'tool:error'],
  ['before_mcp_request', extra, 'mcp:before'],
  ['after_mcp_response', extra, 'mcp:after'],
  ['on_tool', zett, 'session:start', 'session:end'],
  ['on_state', zett, 'session:start', 'session:end'],
  ['before_run', zett, 'run:start'],
  ['after_run', zett, 'run:end'],
  ['on_success', zett, 'run:end'],
  ['on_error', zett, 'run:error'],
  ['on_message', zett, 'prompt:submit'],
  ['before_turn', zett, 'turn:start'],
  ['after_turn', zett, 'turn:end'],
  ['before_model', zett, 'model:before'],
  ['on_model_request', zett, 'model:before'],
  ['after_model', zett, 'model:after'],
  ['before_tool', zett, 'tool:before'],
  ['on_tool_call', zett, 'tool:before', 'tool:after'],
  ['after_tool', zett, 'tool:after', 'tool:error'],
  ['on_compact', zett, 'context:compact'],
  ['accept', zett, 'external:event'],
  ['on_event', zett, 'external:event'],
  ['after_thread_created', standardAgents, 'session:start'],
  ['filter_messages', standardAgents, 'model:before'],
  ['prefilter_llm_history', standardAgents, 'model:before'],
  ['after_system_message', standardAgents, 'model:before'],
  ['tool_call_started', standardAgents, 'tool:before'],
  ['tool_call_done', standardAgents, 'tool:after'],
  ['before_store_tool_result', standardAgents, 'tool:after'],
  ['after_tool_call_success', standardAgents, 'tool:after'],
  ['after_tool_call_failure', standardAgents, 'tool:error'],
  ['before_create_message', standardAgents, 'message:create'],
  ['before_update_message', standardAgents, 'message:update'],
  ['after_create_message', standardAgents, 'message:created'],
  ['after_update_message', standardAgents, 'message:updated'],
  ['after_subagent_created', standardAgents, 'subagent:start'],
  ['user_client_attached', standardAgents, 'user:attached'],
  ['user_client_detached', standardAgents, 'user:detached'],
  ['user_value_changed', standardAgents, 'user:value-changed'],
  ['Setup', claudeCode, 'engine:start'],
  ['SessionStart', claudeCode, 'session:start'],
  ['SessionEnd', claudeCode, 'session:end'],
  ['StopFailure', claudeCode, 'run:error'],
  ['UserPromptSubmit', claudeCode, 'prompt:submit'],
  ['Stop', claudeCode, 'turn:stop'],
  ['PreToolUse', claudeCode, 'tool:before'],
  ['PostToolUse', claudeCode, 'tool:after'],
  ['PostToolUseFailure', claudeCode, 'tool:error'],
  ['PermissionRequest', claudeCode, 'permission:request'],
  ['SubagentStart', claudeCode, 'subagent:start'],
  ['SubagentStop', claudeCode, 'subagent:stop'],
  ['PreCompact', claudeCode, 'context:compact'],
  ['Elicitation', claudeCode, 'external:event'],
  ['Notification', claudeCode, 'notification'],
];

/** Event names of other hosts, so that a pack that uses one is told ours. */
export const foreignEventNames: ReadonlyMap<string, ForeignEventName> = new Map(
  names.map(([name, host, ...events]) => [name, { host, events }]),
);
