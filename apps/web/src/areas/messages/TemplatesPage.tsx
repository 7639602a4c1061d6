import { type MessageEvent, messageChannels, messageEvents } from '@ordinator/model/areas/messages/events'
import { delayed, type delayUnits, MessageTemplate } from '@ordinator/model/areas/messages/messageTemplate'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { useWatch } from 'react-hook-form'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { EventField } from './EventField.tsx'
import { TemplateText } from './TemplateText.tsx'
import { TemplateTrial } from './TemplateTrial.tsx'

type Line = Row<typeof MessageTemplate>

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'name', width: 240 },
  { key: 'event', width: 190, cell: ({ event }) => messageEvents[event] },
  { key: 'channel', width: 180, cell: ({ channel }) => (channel ? messageChannels[channel] : 'Любой') },
  {
    key: 'active',
    label: 'Отправка',
    width: 130,
    cell: ({ active }) => (active ? 'включена' : <Muted>выключена</Muted>),
  },
  { key: 'text', width: 460, sort: false },
  {
    key: 'delay',
    label: 'Когда',
    width: 130,
    sort: false,
    cell: ({ delay, delayUnit, event }) =>
      delayed.includes(event) && (delay === 0 ? 'сразу' : `через ${delay} ${shortUnits[delayUnit]}`),
  },
  { key: 'advertising', label: 'Реклама', width: 100, cell: ({ advertising }) => advertising && 'да' },
]
const shortUnits: Record<keyof typeof delayUnits, string> = { minutes: 'мин', hours: 'ч', days: 'дн.' }

const templateFilters = filters(MessageTemplate, {
  event: choice('event', { any: 'Любое событие' }),
  active: flag('Включённые', { active: true }),
})

/** Шаблоны сообщений: texts by event, active or not. */
export default function TemplatesPage() {
  return (
    <RegistryPage
      page={pageByKey('messageTemplates')}
      entity={MessageTemplate}
      columns={columns}
      filters={templateFilters}
      isMuted={({ active }) => !active}
      form={() => <TemplateFields />}
      copyOf={({ name, event, channel, text, delay, delayUnit, filials, services, advertising }) => ({
        name: `${name} (копия)`.slice(0, 128),
        event,
        channel,
        text,
        delay,
        delayUnit,
        filials,
        services,
        advertising,
      })}
    />
  )
}

function TemplateFields() {
  const event = useWatch({ name: 'event' }) as MessageEvent | null
  return (
    <VStack gap={16}>
      <RecordField name="name" autoFocus />
      <RecordField name="event" input={EventField} />
      <RecordField name="channel" />
      <RecordField name="text" input={TemplateText} />
      <TemplateTrial />
      {event !== null && delayed.includes(event) && (
        <HStack gap={12} align="flex-start">
          <RecordField name="delay" />
          <RecordField name="delayUnit" />
        </HStack>
      )}
      {(event === 'reminder24h' || event === 'reminder2h') && (
        <Fine>Уходит за сутки или за 2 часа до визита, в часы, когда можно писать пациентам.</Fine>
      )}
      {event === 'custom' && (
        <Fine>
          Сам не уходит: клиентов выбирают в их списке и нажимают «Написать…». Включите, чтобы им можно было писать.
        </Fine>
      )}
      <RecordFields names={['filials', 'services', 'advertising', 'active']} />
    </VStack>
  )
}
