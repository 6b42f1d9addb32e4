/**
 * Names, in lower case, of what makes git, an editor, a shell or an agent run or obey something by merely being there. No
 * write grant reaches them.
 */
const names = new Set([
  '.git',
  '.gitmodules',
  '.gitconfig',
  '.github',
  '.githooks',
  '.husky',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  'lefthook.yaml',
  '.lefthook.yml',
  '.lefthook.yaml',
  '.envrc',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.hookcell',
  '.polpo',
  '.claude',
  '.codex',
  '.cursor',
  '.gemini',
  '.qwen',
  '.opencode',
  '.windsurf',
  '.kiro',
  '.continue',
  '.cline',
  '.roo',
  '.mcp.json',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  'agent.json',
  'agents.md',
  'agents.override.md',
  'claude.md',
  'claude.local.md',
  'gemini.md',
  '.bashrc',
  '.bash_profile',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
]);

/** Whether a file or directory of this name is agent, hook, editor or shell configuration. */
export function isConfigurationName(name: string): boolean {
  return names.has(name.toLowerCase());
}
