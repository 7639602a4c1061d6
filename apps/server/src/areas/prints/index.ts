import type { Area } from '#records/area.ts'
import { demo } from './demo.ts'
import { numbered, reissue } from './numbered.ts'
import { pdf, preview } from './print.ts'
import { addMissing, addReady } from './ready.ts'
import { printFiles, printPictures, templates } from './templates.ts'

/** Documents of records by templates: contracts, certificates, cards, labels. */
export const prints: Area = {
  name: 'prints',
  title: 'Печать',
  records: [printFiles, templates, printPictures],
  operations: [pdf, preview, numbered, reissue, addReady],
  ready: (records, tx, idEditor) => addMissing(records.asSystem, tx, { idEditor }),
  demo,
}
