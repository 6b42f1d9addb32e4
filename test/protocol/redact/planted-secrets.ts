/** Made-up credentials of the known shapes, put together so that no scanner of this repository takes them for real. */
const run = (length: number) => 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6'.repeat(4).slice(0, length);
const upper = (length: number) => 'A1B2C3D4E5F6G7H8J9K0'.repeat(2).slice(0, length);

const pemLines = Array.from({ length: 6 }, () => run(64));
export const pemBody = [...pemLines, `${run(38)}==`].join('\n');
export const pemKey = `-----BEGIN RSA PRIVATE KEY-----\n${pemBody}\n-----END RSA PRIVATE KEY-----\n`;

interface Planted {
  readonly secret: string;
  readonly text?: string;
}

/** `text` = the secret with what makes it one; the secret itself where it stands alone. */
export const credentials: Readonly<Record<string, Planted>> & Record<'github' | 'npm', Planted> = {
  github: { secret: `ghp_${run(36)}` },
  githubServer: { secret: `ghs_${run(36)}` },
  githubFine: { secret: `github_pat_${run(22)}_${run(59)}` },
  gitlab: { secret: `glpat-${run(20)}` },
  slack: { secret: `xoxb-1234567890-${run(24)}` },
  slackApp: { secret: `xapp-1-${upper(11)}-${run(24)}` },
  slackWebhook: {
    secret: `T${upper(8)}/B${upper(8)}/${run(24)}`,
    text: `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${run(24)}`,
  },
  aws: { secret: `AKIA${upper(16)}` },
  awsSession: { secret: `ASIA${upper(16)}` },
  google: { secret: `AIza${run(35)}` },
  googleOauth: { secret: `ya29.${run(60)}` },
  stripe: { secret: `sk_live_${run(24)}` },
  stripeTest: { secret: `rk_test_${run(24)}` },
  npm: { secret: `npm_${run(36)}` },
  openai: { secret: `sk-${run(48)}` },
  openaiProject: { secret: `sk-proj-${run(60)}` },
  anthropic: { secret: `sk-ant-api03-${run(80)}-AA` },
  sendgrid: { secret: `SG.${run(22)}.${run(43)}` },
  huggingface: { secret: `hf_${run(34)}` },
  pypi: { secret: `pypi-${run(80)}` },
  jwt: { secret: `eyJ${run(20)}.eyJ${run(40)}.${run(43)}` },
  bearer: { secret: run(40), text: `Bearer ${run(40)}` },
  bearerSpaces: { secret: run(40), text: `Bearer  ${run(40)}` },
  bearerTab: { secret: run(40), text: `bearer\t${run(40)}` },
  bearerCase: { secret: run(40), text: `bEarer ${run(40)}` },
  bearerBase64: { secret: `${run(20)}/${run(20)}==`, text: `BEARER ${run(20)}/${run(20)}==` },
  authorizationToken: { secret: run(40), text: `Authorization: Token ${run(40)}` },
  authorizationBare: { secret: run(40), text: `proxy-authorization:${run(40)}` },
  sessionCookie: { secret: run(26), text: `Cookie: PHPSESSID=${run(26)}` },
  urlToken: { secret: run(40), text: `https://${run(40)}@git.example.com/a/b.git` },
  urlTokenAsUser: { secret: run(40), text: `https://${run(40)}:x-oauth-basic@git.example.com/a/b.git` },
  basic: { secret: 'dXNlcjpwYXNz', text: 'Authorization: Basic dXNlcjpwYXNz' },
  urlPassword: { secret: 'hunter2!', text: 'postgres://admin:hunter2!@db.example.com/x' },
  azureKey: { secret: `${run(43)}/${run(42)}==`, text: `AccountName=x;AccountKey=${run(43)}/${run(42)}==` },
  queryToken: { secret: 'q0w9e8r7', text: 'https://h.example/x?a=1&access_token=q0w9e8r7' },
  pem: { secret: pemBody, text: pemKey.trim() },
};
