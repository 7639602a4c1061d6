import { ExchangeMessage, failedStatuses } from '@ordinator/model/areas/exchange/exchangeMessage'
import { pageByKey } from '@ordinator/model/pages'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { MessageBody } from '../MessageBody.tsx'
import { useMessageActions } from '../messageActions.tsx'
import { messageColumns } from '../messageColumns.tsx'

const journalFilters = filters(ExchangeMessage, {
  adapter: choice('adapter', { any: 'Любая система' }),
  status: choice('status', { any: 'Любое состояние' }),
  webhook: refs('idWebhook', { label: 'Вебхук', any: 'Любой вебхук' }),
  failed: flag('С ошибками', { status: { in: [...failedStatuses] } }, { panel: 'Только с ошибками', toggle: true }),
})

const tabs: RecordParts<typeof ExchangeMessage>['tabs'] = {
  said: { label: 'Содержание', panel: (message) => <MessageBody key={message.id} message={message} /> },
}

/** Журнал обмена: messages to and from other systems. */
export default function ExchangeJournalPage() {
  return (
    <RegistryPage
      page={pageByKey('exchangeJournal')}
      entity={ExchangeMessage}
      columns={messageColumns}
      filters={journalFilters}
      actions={useMessageActions()}
      tabs={tabs}
      selectable
      wide
    />
  )
}
