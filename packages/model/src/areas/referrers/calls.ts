/** Acts of outside referrers: collected, signed, annulled, paid by an expense. */
import { z } from 'zod'
import { call, day, id, idParams, rowOf } from '../../call.ts'
import { reason } from '../money/callParts.ts'
import { ReferrerAct } from './referrer.ts'

const act = { access: 'editReferrers', params: idParams, answer: rowOf(ReferrerAct) } as const

export const referrerCalls = {
  collect: call({
    method: 'POST',
    path: '/referrer-acts/collect',
    summary: 'Собрать акт направившего за месяц; черновик собирается заново, подписанное не входит',
    access: 'editReferrers',
    body: z.strictObject({ idReferrer: id, month: day }),
    answer: rowOf(ReferrerAct),
  }),
  sign: call({
    ...act,
    method: 'POST',
    path: '/referrer-acts/:id/sign',
    summary:
      'Отметить акт подписанным: его строки больше не меняются. 409 stale — суммы изменились, соберите заново; 409 transition — платить нечего',
  }),
  annul: call({
    ...act,
    method: 'POST',
    path: '/referrer-acts/:id/annul',
    summary: 'Аннулировать подписанный акт без расхода: его услуги войдут в следующий',
    body: z.strictObject({ reason }),
  }),
  spend: call({
    ...act,
    method: 'POST',
    path: '/referrer-acts/:id/expense',
    summary: 'Завести расход на оплату подписанного акта; дальше он согласуется и оплачивается как любой расход',
    body: z.strictObject({ idArticle: id }),
  }),
  file: call({
    method: 'GET',
    path: '/referrer-acts/:id/file',
    summary: 'Строки акта в XLSX: дни, услуги, ставки, суммы, без имён пациентов',
    access: ['viewReferrers', 'editReferrers'],
    params: idParams,
    file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
}
