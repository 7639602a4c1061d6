/** A printed examination: the filled-in fields, with its signer. A print template of the clinic replaces it. */
import { allowed } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { examinationCalls } from '@ordinator/model/areas/examinations/calls'
import { Examination } from '@ordinator/model/areas/examinations/examination'
import { ownPicturesOf } from '@ordinator/model/areas/examinations/form'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { letterheadOf } from '#areas/filials/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import { sendPdf } from '#platform/disposition.ts'
import { drawing, pressOf } from '#platform/pdfPool.ts'
import type { AppContext } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import type { ExaminationPaper, Patient } from './drawExamination.ts'
import { ownPictures } from './pictures.ts'

const drawn = drawing<typeof import('./drawExamination.ts')>(new URL('./drawExamination.ts', import.meta.url))

export const print = operation(examinationCalls.print, async ({ app, records, actor, params, reply }) => {
  const examination = await records.row(Examination, params.id)
  const bytes = await examinationPaper(app, examination, await patientOf(records, examination.id), actor)
  await app.journal({
    ...journalActor(actor),
    action: 'print',
    entityType: Examination.path,
    idEntity: examination.id,
    idCustomer: examination.idCustomer,
  })
  return sendPdf(reply, `${examination.name}.pdf`, bytes)
})

/** @param patient within the printing user's scope @param who the printing user */
export async function examinationPaper(
  app: AppContext,
  examination: Row<typeof Examination>,
  patient: Patient | null,
  who: { id: number | string },
): Promise<Uint8Array> {
  const around = (await app.db.reads.one<Pick<ExaminationPaper, 'form' | 'doctor' | 'post'>>(sql`
    select v."form", ${fioSql(raw('u'))} as doctor, u."post"
    from users u join examination_templates_versions v on v."id" = ${examination.idVersion}
    where u."id" = ${examination.idUser}`)) as Pick<ExaminationPaper, 'form' | 'doctor' | 'post'>
  const { timeZone } = await readCommonSettings(app.db)
  const [head, pictures] = [await letterheadOf(app.db), await ownPictures(app.db.reads, ownPicturesOf(around.form))]
  return pressOf(app).run(drawn, { examination, ...around, patient, head, timeZone, pictures }, who)
}

/** The patient, with the right to customers; null without it. */
async function patientOf(records: Records, id: number): Promise<Patient | null> {
  if (!allowed(records.actor, Customer.access.view)) return null
  const asked = { expand: 'customer', fields: 'id,customer.fio,customer.birthday,customer.cardNumber' }
  return (JSON.parse(await records.view(Examination, id, asked)) as { customer: Patient | null }).customer
}
