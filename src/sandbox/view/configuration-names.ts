/*
 * Names, in lower case, of what makes git, a hook manager, an editor, a shell, a version manager, a build server or an agent run
 * or obey something by merely being there. What a tool runs as its own input (`package.json`, `Makefile`, a linter's settings) is
 * not among it.
 */
const git =
  '.git .gitmodules .gitconfig .githooks .git-hooks .hg .hgrc .jj .sl .husky .lefthook .lefthook-local .overcommit.yml .pre-commit-config.yaml .pre-commit-config.yml prek.toml';
const agents =
  '.hookcell .polpo agent.json .agent .agents agent.md agents.md agents.override.md .mcp.json .claude .claude.json claude.md claude.local.md .codex .cursor .cursorrules .gemini gemini.md .qwen qwen.md .opencode opencode.json opencode.jsonc .windsurf .windsurfrules .codeium .kiro .continue .continuerc.json .continuerules .cline .clinerules .roo .roomodes .roorules .kilocode .kilocodemodes .kilocoderules .augment .augment-guidelines .junie .trae .amazonq .amp .factory .goose .goosehints .openhands .openhands_instructions .crush .crush.json crush.json crush.md .warp warp.md .rules .copilot .iflow iflow.md .codebuddy .vibe .zencoder .tabnine .grok grok.md';
const editors =
  '.vscode .idea .zed .fleet .nova .devcontainer .devcontainer.json .vim .vimrc .gvimrc .nvimrc .nvim.lua .exrc .lvimrc .dir-locals.el .dir-locals-2.el .gdbinit .lldbinit .irbrc .pryrc .replit .idx .gitpod.yml .gitpod.dockerfile';
const shells =
  '.envrc .autoenv.zsh .ssh .gnupg .config .bashrc .bash_login .bash_logout .bash_aliases .bash_profile .profile .inputrc .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc';
const toolVersions =
  '.tool-versions .asdfrc .rtx.toml .mise mise rust-toolchain rust-toolchain.toml devenv.nix devbox.json';
const packageManagers = '.npmrc .yarn .yarnrc .yarnrc.yml .bunfig.toml bunfig.toml .cargo .mvn .bundle';
const servers =
  '.github .gitlab .gitlab-ci.yml .circleci .buildkite .forgejo .gitea .woodpecker .woodpecker.yml .woodpecker.yaml .drone.yml .travis.yml .cirrus.yml .appveyor.yml appveyor.yml azure-pipelines.yml bitbucket-pipelines.yml jenkinsfile';

const names = new Set(
  [git, agents, editors, shells, toolVersions, packageManagers, servers].flatMap((group) => group.split(' ')),
);

const patterns = [
  /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$/,
  /^\.huskyrc(?:\.|$)/,
  /^\.?simple-git-hooks\.(?:json|[cm]?js)$/,
  /^\.lintstagedrc(?:\.|$)/,
  /^lint-staged\.config\./,
  /^\.?mise(?:\.[\w-]+)*\.toml$/,
  /^\.aider\.(?:conf|model)\./,
  /^\.(?:roo|cline|kilocode)rules-/,
  /^\.pnpmfile\.[cm]?js$/,
  /\.code-workspace$/,
];

/** Whether a file or directory of this name is configuration that agents, git, editors, shells or build servers obey. */
export function isConfigurationName(name: string): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) || patterns.some((pattern) => pattern.test(lower));
}
