import { type Channel, Consent, ConsentTemplate, ConsentVersion } from '@ordinator/model/areas/consents/consent'
import { Incident } from '@ordinator/model/areas/consents/incident'
import { PatientRequest } from '@ordinator/model/areas/consents/request'
import { lastDay, needsRepresentative } from '@ordinator/model/areas/consents/rules'
import { relationKinds } from '@ordinator/model/areas/customers/customer'
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { formatDay } from '@ordinator/model/format'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { fioSql } from '#areas/staff/index.ts'
import type { Tx } from '#platform/db.ts'
import { seeded } from '#platform/seeded.ts'
import type { AppContext, Ready } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { demoTemplates } from './demoConsents.ts'

/** Days within which patients signed at their first visit. */
const DAYS = 420

type Paper = (typeof demoTemplates)[number] & { id: number; idVersion: number }

/** The templates of each purpose. @param dateFrom the day from which they are in force */
async function makePapers(records: Records, idUser: number, dateFrom: string): Promise<Paper[]> {
  const system = records.asSystem
  const papers: Paper[] = []
  for (const template of demoTemplates) {
    const { purpose, text, ...own } = template
    const { id } = await system.create(ConsentTemplate, own)
    const { id: idVersion } = await system.create(ConsentVersion, { idTemplate: id, dateFrom, purpose, text, idUser })
    papers.push({ ...template, id, idVersion })
  }
  return papers
}

const clinicToday = () => dayIn(commonSettings.timeZone.byDefault, Date.now())

/** The standard consents, in force from the first day on. */
export const ready: Ready = (records, _tx, idUser) => makePapers(records, idUser, clinicToday())

/** Templates of every kind, and consents of most patients: signed, revoked or expired. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const keeper = await tx.one<{ id: number }>({ text: 'select "id" from users order by "id" limit 1' })
  if (!keeper) return
  const system = records.asSystem
  const idUser = keeper.id
  const today = clinicToday()
  const dayBefore = (days: number) => plusDays(today, -days)
  const papers = await makePapers(records, idUser, dayBefore(3 * 365))
  const random = seeded(20_261_122)
  const patients = await tx.query<Patient>(sql`
    select c."id"::int as "id", ${fioSql(raw('c'))} as fio, to_char(c."birthday", 'DD.MM.YYYY') as birthday,
      r."id"::int as "idRelation", r."relation", ${fioSql(raw('m'))} as mother, m."id"::int as "idMother"
    from customers c left join customers_relations r on r."idCustomer" = c."id" and r."signs" = 'yes' and not r."deleted"
    left join customers m on m."id" = r."idRelative" where not c."deleted" order by c."id"`)
  const made = patients.flatMap((patient, at) => {
    // Some have not visited since consents are collected.
    if (at % 5 === 4) return []
    const day = dayBefore(1 + Math.floor(random() * DAYS))
    const child = needsRepresentative(patient.birthday, day)
    if (child && patient.idRelation === null) return []
    return papers
      .filter(({ isDefault, type }) =>
        isDefault ? at % 7 !== 3 || type === 'pd' : type !== 'refusal' && random() < 0.18,
      )
      .map(({ name, type, purpose, idVersion, months }) => {
        const signed = {
          idCustomer: patient.id,
          idVersion,
          name,
          type,
          purpose,
          channels: type === 'ads' ? (['sms', 'call', 'email'] as Channel[]).filter(() => random() < 0.7) : [],
          signMethod: random() < 0.3 ? ('sms' as const) : ('paper' as const),
          signedAt: `${day}T09:${String(10 + (at % 50))}:00Z`,
          dateCreate: `${day}T09:00:00Z`,
          idUser,
          validTo: lastDay(day, months),
          idRelation: child ? patient.idRelation : null,
          representative: child
            ? {
                fio: patient.mother ?? '',
                relation: relationKinds[patient.relation ?? 'mother'],
                document: null,
                ...(patient.idMother !== null && { idCustomer: patient.idMother }),
              }
            : null,
          filled: {
            фио: patient.fio,
            подписывает: child ? (patient.mother ?? '') : patient.fio,
            дата: formatDay(day),
            цель: purpose,
          },
        }
        const revoked = type === 'ads' && random() < 0.2
        return revoked
          ? {
              ...signed,
              revokedAt: `${dayBefore(1)}T12:00:00Z`,
              revokeReason: 'Позвонил и попросил не присылать рекламу',
            }
          : signed
      })
  })
  await registers(system, idUser, patients)
  await system.createMany(Consent, made, { pastHooks: 'The words are those of the templates that were just made' })
}

/** Some requests of patients about their data, and an incident under investigation. */
async function registers(records: Records, idUser: number, patients: readonly Patient[]): Promise<void> {
  const dayBefore = (days: number) => plusDays(dayIn(commonSettings.timeZone.byDefault, Date.now()), -days)
  const asked = [
    { kind: 'copy', text: 'Копия карты за прошлый год для второго мнения', days: 3 },
    { kind: 'access', text: 'Кому передавались результаты анализов', days: 9 },
    { kind: 'correction', text: 'Сменилась фамилия, приложена копия паспорта', days: 40, answer: 'Данные исправлены' },
    { kind: 'erasure', text: 'Убрать номер из рассылок', days: 60, answer: 'Согласие на рекламу отозвано' },
  ] as const
  for (const [at, { kind, text, days, ...more }] of asked.entries()) {
    const idCustomer = patients[at * 7]?.id
    if (idCustomer === undefined) continue
    const answered = 'answer' in more ? { answer: more.answer, dateAnswered: dayBefore(days - 8) } : {}
    const request = { idCustomer, kind, text, dateReceived: dayBefore(days), ...answered, idUser }
    await records.create(PatientRequest, request)
  }
  const incident = {
    kind: 'sending' as const,
    text: 'Результаты отправлены на почту однофамильца',
    dateDetected: new Date(Date.now() - 20 * 3_600_000).toISOString(),
    affected: 1,
    idUser,
  }
  await records.create(Incident, incident)
}

interface Patient {
  id: number
  fio: string
  birthday: string | null
  idRelation: number | null
  relation: keyof typeof relationKinds | null
  mother: string | null
  idMother: number | null
}
