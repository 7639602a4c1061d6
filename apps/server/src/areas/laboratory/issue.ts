/** Issue of results to the patient: on paper, by mail, in the portal, in the chat. All but paper require consent. */
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import { wrongOrderStep } from '@ordinator/model/areas/laboratory/states'
import sql, { raw } from 'sql-template-tag'
import { messagePatient } from '#areas/chats/index.ts'
import { statusSql } from '#areas/consents/index.ts'
import { mailerOf } from '#areas/settings/index.ts'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { heldOrder, markIssued } from './orders.ts'
import { orderPaper } from './papers.ts'

const ways = {
  paper: 'Выдан на бумаге',
  email: 'Отправлен на почту',
  portal: 'Открыт в личном кабинете',
  chat: 'Сообщено в переписке',
} as const

const refused = (message: string, code: string) => new HttpError(409, message, { code })

export const issue = operation(laboratoryCalls.issue, async ({ app, records, actor, params, body }) => {
  const order = await records.row(LabOrder, params.id)
  await records.mustOpen(LabOrder, order.id)
  const wrong = wrongOrderStep('issue', order.status)
  if (wrong) throw refused(wrong, 'transition')
  const patient = await app.db.one<{
    email: string | null
    consent: boolean
  }>(sql`select c."email", exists (select 1 from consents s
      where s."idCustomer" = c."id" and s."type" = 'pd' and not s."deleted" and ${statusSql(raw('s'))} = 'signed') as consent
    from customers c where c."id" = ${order.idCustomer}`)
  if (body.by !== 'paper' && !patient?.consent)
    throw refused('Нет подписанного согласия на обработку персональных данных: выдайте результат на бумаге', 'consent')
  if (body.by === 'email') {
    if (!patient?.email) throw refused('В карте пациента нет почты', 'email')
    const mailer = await mailerOf(app)
    if (!mailer) throw refused('Почта не подключена: настройте её в «Подключениях»', 'off')
    const bytes = await orderPaper(app, order, 'result', actor)
    const began = performance.now()
    const { outcome } = await mailer.send({
      to: patient.email,
      subject: `Результаты анализов, заказ ${order.number}`,
      text: `Здравствуйте! Результаты анализов по заказу ${order.number} — во вложении. Их оценивает лечащий врач.`,
      html: `<p>Здравствуйте! Результаты анализов по заказу ${order.number} — во вложении. Их оценивает лечащий врач.</p>`,
      attachments: [{ filename: `Результаты ${order.number}.pdf`, content: Buffer.from(bytes) }],
    })
    await app.exchanged({
      adapter: 'mail',
      operation: 'Результаты анализов',
      about: { path: LabOrder.path, id: order.id },
      status: outcome === 'sent' ? 'done' : outcome === 'never' ? 'rejected' : 'network_error',
      durationMs: performance.now() - began,
    })
    if (outcome === 'unknown')
      throw refused(
        'Почта замолчала посреди отправки: письмо могло уйти. Спросите пациента, прежде чем отправлять снова',
        'unknown',
      )
    if (outcome !== 'sent') throw refused('Почтовый сервер не принял письмо', 'mail')
  }
  return records.tx(async (inner, tx) => {
    const held = await heldOrder(inner, tx, params.id)
    if (body.by === 'chat') {
      const isSent = await messagePatient(app, inner, tx, {
        idCustomer: order.idCustomer,
        clientId: `lab-${order.id}-${order._version}`,
        // A messenger gets only the fact that results are ready, never the values.
        textFor: () => `Анализы по заказу ${order.number} готовы. Результаты — в личном кабинете или в регистратуре.`,
      })
      if (!isSent) throw refused('С этим пациентом нет открытой переписки', 'chat')
    }
    await markIssued(inner, tx, held, ways[body.by])
    return inner.row(LabOrder, held.id)
  })
})
