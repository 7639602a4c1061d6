import { Poll, PollOption, PollResult } from '@ordinator/model/areas/tasks/poll'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { aboutTask, linkToTask, taskOfLinked } from './links.ts'
import { linkedScope, pollResultScope } from './scope.ts'

export const polls = records(Poll, {
  scope: linkedScope('poll'),
  about: aboutTask((row) => taskOfLinked('poll', sql`${row}."id"`)),
  hooks: { afterCreate: linkToTask('poll') },
})

export const pollOptions = records(PollOption, {
  computed: {
    resultsCount: ({ row }) =>
      sql`(select count(*)::int from tasks_management_poll_results pr where pr."idOption" = ${row}."id" and not pr."deleted")`,
  },
  about: aboutTask((row) => taskOfLinked('poll', sql`${row}."idPoll"`)),
})

export const pollResults = records(PollResult, { scope: pollResultScope })
