import { Call } from '@ordinator/model/areas/calls/call'
import { Examination } from '@ordinator/model/areas/examinations/examination'
import { ExaminationTemplate } from '@ordinator/model/areas/examinations/template'
import { promptCalls } from '@ordinator/model/areas/prompts/calls'
import { Prompt, PromptRun, PromptVersion, versionedFields } from '@ordinator/model/areas/prompts/prompt'
import type { Row } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { shown } from './runs.ts'

type PromptRow = Row<typeof Prompt>

const ofRuns = (row: Sql, what: Sql, where: Sql): Sql =>
  sql`(select ${what} from prompts_runs r where r."idPrompt" = ${row}."id" and ${where})`

export const promptRecords = records(Prompt, {
  computed: {
    runsCount: ({ row }) => ofRuns(row, sql`count(*)::int`, sql`r."status" not in ('queued', 'running')`),
    goodCount: ({ row }) => ofRuns(row, sql`count(*)::int`, sql`r."rating" = 'good'`),
    badCount: ({ row }) => ofRuns(row, sql`count(*)::int`, sql`r."rating" = 'bad'`),
    cost: ({ row }) => ofRuns(row, sql`coalesce(round(sum(r."cost"), 2), 0)`, sql`true`),
  },
  hooks: {
    beforeCreate: (_, value) => void Object.assign(value, { version: 1, ...value }),
    afterCreate: ({ records: all, actor }, row) => keepVersion(all, row, actor.id),
    beforeUpdate(_, value, before) {
      const now = { ...before, ...value }
      if (versionedFields.some((field) => JSON.stringify(now[field] ?? null) !== JSON.stringify(before[field] ?? null)))
        Object.assign(value, { version: before.version + 1 })
    },
    async afterUpdate({ records: all, actor }, row, before) {
      if (row.version !== before.version) await keepVersion(all, row, actor.id)
    },
  },
})

async function keepVersion(all: Records, prompt: PromptRow, idUser: number): Promise<void> {
  const { id, version, text, outputSchema, model, temperature } = prompt
  await all.asSystem.create(PromptVersion, {
    idPrompt: id,
    number: version,
    text,
    outputSchema,
    model,
    temperature,
    ...(idUser ? { idUser } : prompt.idUser ? { idUser: prompt.idUser } : {}),
  })
}

export const promptVersions = records(PromptVersion)

/** Own runs; users who edit prompts see all, to evaluate them. */
export const promptRuns = records(PromptRun, {
  scope: { unless: 'editPrompts', view: ({ row, me }) => sql`${row}."idUser" = ${me}` },
})

const offered = operation(promptCalls.offered, async ({ records: all, app, actor, query }) => {
  const { subject, idEntity } = query
  const isFit =
    subject === 'calls'
      ? ofCall(await all.row(Call, idEntity))
      : await ofExamination(all, await all.row(Examination, idEntity))
  const kind = subject === 'calls' ? 'call' : 'protocol'
  const found = await all.rows(Prompt, { 'filter[kind]': kind, 'filter[active]': 'true', limit: 100 })
  const latest = await app.db.one<{ id: number }>(sql`select "id"::int as id from prompts_runs
    where "subject" = ${subject} and "idEntity" = ${idEntity} and "status" <> 'cancelled'
      and ("status" in ('queued', 'running', 'done') or "idUser" = ${actor.id}) order by "id" desc limit 1`)
  return {
    prompts: found.filter(isFit).map(({ id, name, isDefault }) => ({ id, name, isDefault })),
    run: latest ? shown(await all.asSystem.row(PromptRun, latest.id)) : null,
  }
})

const ofCall =
  ({ callType }: Row<typeof Call>) =>
  ({ callTypes }: PromptRow): boolean =>
    !callTypes?.length || callTypes.includes(callType)

async function ofExamination(all: Records, { idTemplate }: Row<typeof Examination>) {
  const template = await all.asSystem.rows(ExaminationTemplate, { 'filter[id]': idTemplate, limit: 1 })
  const idSpeciality = template[0]?.idSpeciality
  return ({ examinationTemplates, specialities }: PromptRow): boolean =>
    (examinationTemplates.length === 0 || examinationTemplates.includes(idTemplate)) &&
    (specialities.length === 0 || (idSpeciality != null && specialities.includes(idSpeciality)))
}

const MONTHS = 12

const spent = operation(promptCalls.spent, async ({ app, query }) => {
  const months = await app.db.reads.query<{
    month: string
    runs: number
    done: number
    tokens: number
    cost: number
    good: number
    bad: number
  }>(sql`select to_char(r."dateCreate" at time zone ${clinicZone}, 'YYYY-MM') as month, count(*)::int as runs,
      (count(*) filter (where r."status" = 'done'))::int as done,
      coalesce(sum(r."tokensIn" + r."tokensOut"), 0)::float8 as tokens, coalesce(round(sum(r."cost"), 2), 0)::float8 as cost,
      (count(*) filter (where r."rating" = 'good'))::int as good, (count(*) filter (where r."rating" = 'bad'))::int as bad
    from prompts_runs r where (${query.kind ?? null}::text is null or r."kind" = ${query.kind ?? null})
      and r."dateCreate" > now() - make_interval(months => ${MONTHS})
    group by 1 order by 1 desc limit ${MONTHS}`)
  return { months }
})

export const promptOperations = [offered, spent]
