/** Export of a month for 1С: accruals and payouts by person. 1С computes taxes and contributions. */
import { payrollCalls } from '@ordinator/model/areas/payroll/calls'
import { PayrollPeriod } from '@ordinator/model/areas/payroll/payroll'
import { adjustmentKinds } from '@ordinator/model/areas/payroll/states'
import sql, { raw } from 'sql-template-tag'
import { fioSql } from '#areas/staff/index.ts'
import { disposition } from '#platform/disposition.ts'
import { operation } from '#records/operation.ts'

const inXml = (text: string): string =>
  text.replace(/[<>&"']/g, (sign) => `&#${sign.codePointAt(0)};`).replace(/[^\P{Cc}\n\t]/gu, '')

interface Accrued {
  idSlip: number
  idUser: number
  fio: string
  snils: string | null
  post: string | null
  items: { kind: string; name: string; sum: string }[]
  payouts: { day: string; kind: string; sum: string }[]
  total: string
}

export const exportTo1c = operation(payrollCalls.exportTo1c, async ({ app, records, params: { id }, reply }) => {
  const period = await records.row(PayrollPeriod, id)
  const filial = await app.db.reads.one<{ name: string }>(
    sql`select "nameFilial" as name from filials where "id" = ${period.idFilial}`,
  )
  const people = await app.db.reads.query<Accrued>(sql`
    select s."id" as "idSlip", s."idUser", ${fioSql(raw('u'))} as fio, u."snils", s."post",
      (select coalesce(json_agg(json_build_object('kind', x.kind, 'name', x.name, 'sum', x.sum::text) order by x.kind, x.name), '[]')
        from (select l."type" as kind, l."name", sum(l."sum") as sum from payroll_lines l where l."idSlip" = s."id" group by 1, 2
          union all select j."kind", j."reason", case when j."kind" in ('bonus', 'extra') then j."sum" else -j."sum" end
          from payroll_adjustments j where j."idSlip" = s."id" and not j."deleted") x) as items,
      (select coalesce(json_agg(json_build_object('day', o."localDate", 'kind', o."kind", 'sum', o."sum"::text) order by o."id"), '[]')
        from payroll_payouts o where o."idSlip" = s."id") as payouts,
      (s."salary" + s."percent" + s."kpi" + coalesce((select sum(case when j."kind" in ('bonus', 'extra') then j."sum" else -j."sum" end)
        from payroll_adjustments j where j."idSlip" = s."id" and not j."deleted"), 0))::text as total
    from payroll_slips s join users u on u."id" = s."idUser" where s."idPeriod" = ${id} order by 3, s."id"`)
  const nameOf = (kind: string, name: string) =>
    Object.hasOwn(adjustmentKinds, kind) ? adjustmentKinds[kind as keyof typeof adjustmentKinds] : name
  const lines = people.map(
    ({ idUser, fio, snils, post, items, payouts, total }) =>
      `  <Сотрудник Код="${idUser}" ФИО="${inXml(fio)}"${snils ? ` СНИЛС="${inXml(snils)}"` : ''}${post ? ` Должность="${inXml(post)}"` : ''} Итого="${total}">\n` +
      items
        .map(
          ({ kind, name, sum }) =>
            `    <Начисление Вид="${inXml(kind)}" Название="${inXml(nameOf(kind, name))}" Сумма="${sum}"/>\n`,
        )
        .join('') +
      payouts
        .map(({ day, kind, sum }) => `    <Выплата Дата="${day}" Вид="${inXml(kind)}" Сумма="${sum}"/>\n`)
        .join('') +
      '  </Сотрудник>\n',
  )
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Зарплата Месяц="${period.month.slice(0, 7)}" Филиал="${inXml(filial?.name ?? '')}" Состояние="${period.status}">\n${lines.join('')}</Зарплата>\n`
  return reply
    .type('application/xml; charset=utf-8')
    .header('content-disposition', disposition('attachment', `Зарплата ${period.month.slice(0, 7)}.xml`))
    .send(xml)
})
