/** A signed examination as the data of a document template. */
import type { Diagnosis, Prescription } from '@ordinator/model/areas/examinations/examination'
import { type ExaminationForm, readyForm } from '@ordinator/model/areas/examinations/form'
import { type ReadLine, readSections } from '@ordinator/model/areas/examinations/paper'
import sql from 'sql-template-tag'
import { lineCountsSql } from '#areas/counted/index.ts'
import { soldFieldSql } from '#areas/money/index.ts'
import { clinicZone, readCommonSettings } from '#areas/settings/index.ts'
import { inZone } from './inZone.ts'
import type { SemdSource } from './sources.ts'

interface ExaminationRow {
  name: string
  idCustomer: number
  idUser: number
  idFilial: number | null
  values: Record<string, unknown>
  diagnoses: Diagnosis[]
  prescriptions: Prescription[]
  recommendations: string[]
  form: ExaminationForm
  date: string
  from: string
  to: string
  visit: string
  serviceCode: string | null
  serviceName: string | null
  contract: string | null
  contractFrom: string | null
}

export const examinationSource: SemdSource = {
  kind: 'examinations',
  async read(db, id) {
    const row = await db.one<ExaminationRow>(sql`
      select e."name", e."idCustomer"::int as "idCustomer", e."idUser"::int as "idUser", a."idFilial"::int as "idFilial",
        e."values", e."diagnoses", e."prescriptions", e."recommendations", v."form",
        e."dateSigned" as date, coalesce(a."dateFrom", e."dateCreate") as from,
        greatest(coalesce(a."dateTo", e."dateDone"), coalesce(a."dateFrom", e."dateCreate")) as to,
        coalesce(a."id", e."id")::text as visit, s."medicalCode" as "serviceCode", s."nameService" as "serviceName",
        coalesce(p."cardNumber", p."id"::text) as contract, to_char(p."dateCreate" at time zone ${clinicZone}, 'YYYY-MM-DD') as "contractFrom"
      from examinations e join examination_templates_versions v on v."id" = e."idVersion"
      join customers p on p."id" = e."idCustomer"
      left join appointments a on a."id" = e."idAppointment"
      left join lateral (select ${soldFieldSql(sql`l`, sql`s`, 'medicalCode')} as "medicalCode",
          ${soldFieldSql(sql`l`, sql`s`, 'nameService')} as "nameService" from coupons c join coupon_services l on l."idCoupon" = c."id"
        join services s on s."id" = l."idService" where c."idAppointment" = a."id" and not c."deleted" and ${lineCountsSql()}
        order by s."medicalCode" is null, l."id" limit 1) s on true
      where e."id" = ${id} and not e."deleted" and e."status" in ('signed', 'corrected')`)
    if (!row) return undefined
    const { timeZone } = await readCommonSettings(db)
    const sections = readSections(readyForm(row.form), row.values).map(({ title, lines }) => ({
      title,
      fields: lines.map((line) => ({ label: line.label, value: wordsOf(line) })),
    }))
    const all = sections.flatMap(({ title, fields }) => fields.map((one) => ({ ...one, title })))
    const find = (pattern: RegExp) =>
      all
        .filter(({ label, title }) => pattern.test(label) || pattern.test(title))
        .map(({ value }) => value)
        .join('. ') || undefined
    const protocol = sections
      .map(({ title, fields }) => `${title}. ${fields.map(({ label, value }) => `${label}: ${value}`).join('; ')}`)
      .join('. ')
    const main = row.diagnoses.find(({ kind }) => kind === 'main') ?? row.diagnoses[0]
    return {
      title: row.name,
      idCustomer: row.idCustomer,
      idUser: row.idUser,
      idFilial: row.idFilial,
      idExamination: id,
      date: inZone(row.date, timeZone),
      fields: {
        visit: {
          number: row.visit,
          from: inZone(row.from, timeZone),
          to: inZone(row.to, timeZone),
          place: { code: '1', name: 'Поликлиника' },
        },
        contract: { number: row.contract, from: row.contractFrom },
        service: { code: row.serviceCode, name: row.serviceName },
        sections,
        protocol,
        complaints: find(/жалоб/i),
        anamnesis: find(/анамнез(?!.*жизни)/i) ?? find(/жалоб/i) ?? protocol,
        life: find(/анамнез.*жизни/i),
        conclusion: find(/заключени/i) ?? main?.name,
        outcome: { code: '1', name: 'Удовлетворительное' },
        diagnoses: row.diagnoses.map(({ code, name, kind }) => ({ code, name, ...kinds[kind] })),
        recommendations: [
          ...row.recommendations,
          ...row.prescriptions.map(({ name, how, term }) => [name, how, term].filter(Boolean).join(', ')),
        ].join('. '),
      },
    }
  },
  mend: {
    diagnoses: { label: 'Диагноз по МКБ-10', link: '/examinations/:id' },
    anamnesis: { label: 'Анамнез заболевания', link: '/examinations/:id' },
    protocol: { label: 'Протокол осмотра', link: '/examinations/:id' },
    conclusion: { label: 'Заключение или диагноз', link: '/examinations/:id' },
    service: { label: 'Код услуги по номенклатуре 804н: услуга визита', link: '/services' },
    visit: { label: 'Визит осмотра', link: '/examinations/:id' },
  },
}

const kinds = {
  main: { kindCode: '1', kindName: 'Основное заболевание' },
  complication: { kindCode: '2', kindName: 'Осложнение основного заболевания' },
  accompanying: { kindCode: '3', kindName: 'Сопутствующее заболевание' },
} as const

/** Rich text as plain text. */
const wordsOf = ({ text, html }: ReadLine): string =>
  html === undefined
    ? text
    : html
        .replace(/<(?:br|\/p|\/li)[^<>]*>/gi, ' ')
        .replace(/<[^<>]+>/g, '')
        .replaceAll('&nbsp;', ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
        .replace(/\s+/g, ' ')
        .trim()
