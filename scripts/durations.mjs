/** A vitest reporter: time of each file including hooks, as `[{ file, seconds, from, to }]`. */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './prepare.mjs'

export default class Durations {
  #files = []

  onTestModuleEnd(module) {
    const to = Date.now()
    const { duration } = module.diagnostic()
    this.#files.push({ file: relative(ROOT, module.moduleId), seconds: duration / 1000, from: to - duration, to })
  }

  onTestRunEnd() {
    writeFileSync(process.env.TEST_DURATIONS, JSON.stringify(this.#files))
  }
}
