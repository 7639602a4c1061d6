import { Alert } from '@mantine/core'
import { Webhook } from '@ordinator/model/areas/exchange/webhook'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { formatDateTime } from '#kit/clock.ts'
import { Muted } from '#kit/Words.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { EventsInput } from './EventsInput.tsx'
import { WebhookDelivery } from './WebhookDelivery.tsx'
import { WebhookSign } from './WebhookSign.tsx'

type Line = Row<typeof Webhook>

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'name', width: 240 },
  { key: 'url', width: 320 },
  { key: 'active', label: 'Состояние', width: 220, cell: (hook) => <State hook={hook} /> },
  { key: 'waiting', width: 130, cell: ({ waiting }) => waiting || null },
  { key: 'stopped', width: 130, cell: ({ stopped }) => stopped || null },
  { key: 'dateSuccess', width: 150 },
]

function State({ hook: { active, dateFailing, offReason } }: { hook: Line }) {
  if (!active) return <Muted title={offReason ?? undefined}>{offReason ? 'Выключился сам' : 'Выключен'}</Muted>
  return dateFailing ? <span>Не отвечает с {formatDateTime(dateFailing)}</span> : <span>Работает</span>
}

const tabs: RecordParts<typeof Webhook>['tabs'] = {
  delivery: { label: 'Доставка', panel: (hook) => <WebhookDelivery key={hook.id} hook={hook} /> },
  sign: { label: 'Подпись', panel: (hook) => <WebhookSign key={hook.id} hook={hook} /> },
}

const webhookFilters = filters(Webhook, {
  on: flag('Включённые', { active: true }, { toggle: true }),
})

const form = (hook: Line | undefined) => (
  <>
    {hook?.offReason && (
      <Alert color="red" variant="light" title="Вебхук выключился сам">
        {hook.offReason}. Проверьте адрес и включите его снова.
      </Alert>
    )}
    <RecordFields names={['name', 'url', 'active', 'retries']} autoFocus={!hook} />
    <RecordField name="events" input={EventsInput} />
  </>
)

/** Вебхуки: systems that get events. */
export default function WebhooksPage() {
  return (
    <RegistryPage
      page={pageByKey('webhooks')}
      entity={Webhook}
      columns={columns}
      filters={webhookFilters}
      tabs={tabs}
      form={form}
      isMuted={({ active }) => !active}
      wide
    />
  )
}
