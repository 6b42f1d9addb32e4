#!/usr/bin/env node
// Ignores polite signals, starts a helper that would outlive it, and never answers.
import { spawn } from 'node:child_process';

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
spawn('sleep', ['600'], { detached: true, stdio: 'inherit' }).unref();
setInterval(() => undefined, 60_000);
