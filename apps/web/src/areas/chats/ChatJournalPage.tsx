import { holds } from '@ordinator/model/access'
import { chatStatuses, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import type { Expanded } from '@ordinator/model/client'
import { pageByKey } from '@ordinator/model/pages'
import { useBulkEnd } from '#areas/appeals/index.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'

type Line = Expanded<typeof LiveAssist, 'user' | 'outcome' | 'customer'>

const journalFilters = filters(LiveAssist, {
  status: choice('status', { options: chatStatuses, any: 'Любое состояние' }),
  user: refs('idUser', { label: 'Оператор', any: 'Любой оператор' }),
  group: refs('idGroup', { any: 'Любая группа' }),
  outcome: refs('idOutcome', { label: 'Итог', any: 'Любой итог' }),
  owed: flag(
    'Ждут шага',
    { dateNextStep: { null: false }, idOutcome: null },
    { panel: 'Только те, где назначен следующий шаг', toggle: true },
  ),
})

/** Журнал чатов: people, answer times, outcomes. */
export default function ChatJournalPage() {
  const mayEnd = holds(useActor(), 'supportOperator')
  const { action, dialog } = useBulkEnd<Line>({
    entity: LiveAssist,
    label: 'Завершить…',
    title: 'Чем закончились разговоры',
    forms: ['чат', 'чата', 'чатов'],
    keeps: ({ status, dateNextStep, idOutcome }) =>
      status !== 'archive' || (dateNextStep !== null && idOutcome === null) ? undefined : 'разговор уже завершён',
    run: (ids, ending) => api('POST /live-assist/complete-many', { body: { ids, ...ending } }),
  })
  return (
    <>
      <RegistryPage
        page={pageByKey('chatJournal')}
        entity={LiveAssist}
        expand={['customer', 'user', 'outcome']}
        filters={journalFilters}
        actions={mayEnd ? [action] : []}
      />
      {dialog}
    </>
  )
}
