import type { Area } from '#records/area.ts'
import { compare } from './compareCall.ts'
import { decide } from './decide.ts'
import { demo } from './demo.ts'
import { startReadJob } from './duties.ts'
import { exportDocx } from './exportDocx.ts'
import { imageByUrl } from './imageByUrl.ts'
import { importDocx } from './importDocx.ts'
import { startRegulationJobs } from './jobs.ts'
import { listOperations } from './lists.ts'
import { printPdf } from './printPdf.ts'
import { readOperations, reads } from './reads.ts'
import { audience, regulationRecords, reviewers } from './regulations.ts'
import { violationFacts } from './reports.ts'
import { reviewed } from './reviewed.ts'
import { runOperations, runSteps, runs } from './runs.ts'
import { saveOperations } from './save.ts'
import { stepOperations } from './stepCalls.ts'
import { stepParts, steps } from './steps.ts'
import { transition } from './transitions.ts'
import { newVersion } from './versions.ts'
import { violations } from './violations.ts'

/** Regulations: versioned procedures made of steps, their readers and their runs. */
export const regulations: Area = {
  name: 'regulations',
  title: 'Регламенты',
  records: [regulationRecords, steps, ...stepParts, reviewers, audience, reads, runs, runSteps, violations],
  operations: [
    ...listOperations,
    ...saveOperations,
    ...stepOperations,
    transition,
    decide,
    newVersion,
    reviewed,
    compare,
    imageByUrl,
    printPdf,
    exportDocx,
    importDocx,
    ...readOperations,
    ...runOperations,
  ],
  reports: [violationFacts],
  start(app) {
    startRegulationJobs(app)
    startReadJob(app)
  },
  demo,
}
