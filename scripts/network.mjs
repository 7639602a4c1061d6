/**
 * `npm run network`: the whole network of a clinic on this machine, as docs/network.md explains it, with a page that shows
 * which nodes run and breaks each part. `npm run network -- --kill` kills every part under load and reports; `--small`
 * starts the small network of the embedded binaries.
 */
import { buildWeb, install, NODE, run, script } from './prepare.mjs'

await script(async () => {
  await install()
  await buildWeb()
  await run(NODE, ['scripts/network/main.ts', ...process.argv.slice(2)])
})
