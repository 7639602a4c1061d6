import { Poll, PollOption, PollResult, pollClosed } from '@ordinator/model/areas/tasks/poll'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { count, records, type WriteContext } from '#records/define.ts'
import { aboutTask, partHooks, taskOfLinked } from './links.ts'
import { linkedScope, pollResultScope } from './scope.ts'

export const polls = records(Poll, {
  scope: linkedScope('poll'),
  about: aboutTask((row) => taskOfLinked('poll', sql`${row}."id"`)),
  hooks: {
    ...partHooks('poll'),
    prepare(value, before) {
      const { dateStart = before?.dateStart, dateEnd = before?.dateEnd } = value
      if (dateStart && dateEnd && Date.parse(dateEnd) <= Date.parse(dateStart))
        throw wrong('dateEnd', 'Окончание должно быть позже начала')
    },
    async beforeCreate({ tx }, value) {
      if (value.image) await checkPicture(tx, value.image)
    },
    async beforeUpdate({ tx }, value, before) {
      if (value.image && value.image !== before.image) await checkPicture(tx, value.image)
      if (value.isMultiple === false && before.isMultiple) await refuseManyVotes(tx, before.id)
    },
  },
})

export const pollOptions = records(PollOption, {
  computed: {
    resultsCount: count('results', { whoever: true }),
  },
  about: aboutTask((row) => taskOfLinked('poll', sql`${row}."idPoll"`)),
})

/** Votes, given and withdrawn while the poll is open. In a single-choice poll a second vote replaces the first. */
export const pollResults = records(PollResult, {
  scope: pollResultScope,
  hooks: {
    async beforeCreate(context, { idOption }) {
      const poll = await openPoll(context, idOption)
      if (!poll.isMultiple) await withdrawOthers(context, poll.id, context.actor.id)
    },
    beforeUpdate: async (context, _value, { idOption }) => void (await openPoll(context, idOption)),
    beforeDelete: async (context, { idOption }) => void (await openPoll(context, idOption)),
    async afterRestore(context, vote) {
      const poll = await openPoll(context, vote.idOption)
      if (!poll.isMultiple) await withdrawOthers(context, poll.id, vote.idUser, vote.id)
    },
  },
})

type PollRow = Pick<Row<typeof Poll>, 'id' | 'isMultiple' | 'dateStart' | 'dateEnd'>

/**
 * The poll of an active option, locked so that two votes of one person are serialized.
 * @throws HttpError 409 outside of its dates
 */
async function openPoll({ actor, tx }: WriteContext, idOption: number): Promise<PollRow> {
  const poll = await tx.one<PollRow>(sql`select p."id", p."isMultiple", p."dateStart"::text, p."dateEnd"::text
    from tasks_management_polls p join tasks_management_poll_options o on o."idPoll" = p."id"
    where o."id" = ${idOption} for no key update of p`)
  if (!poll) throw wrong('idOption', 'Запись не найдена')
  const closed = pollClosed(poll)
  if (closed && !actor.system) throw new HttpError(409, closed, { code: 'closed' })
  return poll
}

/** Deletes the person's other votes in the poll, also those for deleted options. */
async function withdrawOthers(
  { records, tx }: WriteContext,
  idPoll: number,
  idUser: number,
  kept?: number,
): Promise<void> {
  const others = await tx.query<{ id: number }>(sql`select r."id" from tasks_management_poll_results r
    join tasks_management_poll_options o on o."id" = r."idOption"
    where o."idPoll" = ${idPoll} and r."idUser" = ${idUser} and not r."deleted" and r."id" <> ${kept ?? 0}`)
  for (const { id } of others) await records.asSystem.remove(PollResult, id)
}

async function checkPicture(db: Queryable, idFile: number): Promise<void> {
  const picture = await db.one(
    sql`select 1 from tasks_management_files where "id" = ${idFile} and "meta" ->> 'category' = 'image'`,
  )
  if (!picture) throw wrong('image', 'Нужен файл с картинкой')
}

async function refuseManyVotes(db: Queryable, idPoll: number): Promise<void> {
  const many = await db.one(sql`select 1 from tasks_management_poll_results r
    join tasks_management_poll_options o on o."id" = r."idOption" and not o."deleted"
    where o."idPoll" = ${idPoll} and not r."deleted" group by r."idUser" having count(*) > 1 limit 1`)
  if (many) throw wrong('isMultiple', 'Кто-то уже выбрал несколько вариантов')
}

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])
