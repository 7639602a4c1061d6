/**
 * `npm run dev`: the server, restarted when its sources change, behind vite with hot replacement, both on the demo clinic
 * of `DATA_DIR` (./data). Ctrl+C stops both.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { install, NODE, ROOT, script, takeSignals } from './prepare.mjs'

const PORT = process.env.PORT ?? '8080'
const WEB_PORT = process.env.WEB_PORT ?? '5173'

await script(async () => {
  await install()
  takeSignals()
  const server = begin(['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], {
    PORT,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
    NODE_COMPILE_CACHE: join(ROOT, '.cache/node'),
  })
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const web = begin([vite, 'apps/web', '--port', WEB_PORT, '--strictPort'], { API: `http://localhost:${PORT}` })
  console.log(`Разработка: http://localhost:${WEB_PORT}/app (сервер на ${PORT})`)

  for (const one of [server, web]) {
    one.once('exit', (code) => {
      for (const other of [server, web]) other.kill('SIGTERM')
      process.exitCode = code ?? 1
    })
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      for (const one of [server, web]) one.kill(signal)
    })
  }
})

function begin(args, env) {
  return spawn(NODE, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } })
}
