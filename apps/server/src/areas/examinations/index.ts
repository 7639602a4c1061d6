import type { Area } from '#records/area.ts'
import { demo, ready } from './demo.ts'
import { dictionaries, searchTerms, synonyms, terms } from './dictionaries.ts'
import { attachments, examinationFiles, examinations as examinationRecords } from './examinations.ts'
import { offerTerms } from './importTerms.ts'
import { addPicture, picture, sweepPictures } from './pictures.ts'
import { print } from './print.ts'
import { examinationFacts } from './reports.ts'
import { save } from './save.ts'
import { correct, finish, reopen, sign } from './signing.ts'
import { restore, templates, versions } from './templates.ts'

export { ready as readyDictionary } from './demo.ts'
export { choice, demoTemplates, demoTemplates as readyForms, form, text } from './demoTemplates.ts'
export { ownPictures } from './pictures.ts'
export { examinationPaper } from './print.ts'
export { assertDraft, heldExamination, writeParts } from './save.ts'

/** Examinations by doctors, with the clinic's forms. */
export const examinations: Area = {
  name: 'examinations',
  title: 'Осмотры',
  records: [dictionaries, terms, synonyms, templates, versions, examinationRecords, examinationFiles, attachments],
  operations: [save, finish, reopen, sign, correct, print, searchTerms, restore, addPicture, picture],
  reports: [examinationFacts],
  start(app) {
    offerTerms(app)
    app.jobs.register('examinations.pictures', { cron: '50 3 * * *', handler: () => sweepPictures(app) })
  },
  ready,
  demo,
}
