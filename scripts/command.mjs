/** `npm run backup|restore|admin|rotate-secret`: a command of the server, on the pinned Node. Files are named from where npm was called. */
import { isAbsolute, join } from 'node:path'
import { install, NODE, run, script } from './prepare.mjs'

await script(async () => {
  await install()
  const [name, ...rest] = process.argv.slice(2)
  const from = process.env.INIT_CWD ?? process.cwd()
  const paths = name === 'admin' ? rest : rest.map((path) => (isAbsolute(path) ? path : join(from, path)))
  await run(NODE, ['apps/server/src/commands/run.ts', name, ...paths])
})
