import { PatientRequest, requestStatuses } from '@ordinator/model/areas/consents/request'
import type { Expanded } from '@ordinator/model/client'
import { formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { PrintMenu } from '#areas/prints/index.ts'
import { statusMark } from '#kit/statusMark.tsx'
import { one } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'

type Line = Expanded<typeof PatientRequest, 'customer'>

const Status = statusMark(requestStatuses, {
  open: 'blue-6',
  overdue: 'red-6',
  answered: 'teal-6',
  late: 'yellow-6',
})

const requestFilters = filters(PatientRequest, {
  status: one({
    label: 'Состояние',
    options: { waiting: 'Ждут ответа', done: 'Отвечены', all: 'Все' },
    usual: 'waiting',
    is: (word) => (word === 'all' ? undefined : { dateAnswered: { null: word === 'waiting' } }),
    segments: true,
  }),
})

const columns: readonly ((keyof typeof PatientRequest.fields & string) | ColumnSpec<Line>)[] = [
  { key: 'text', label: 'Запрос', width: 320 },
  { key: 'idCustomer', width: 240 },
  { key: 'kind', width: 200 },
  { key: 'dateReceived', width: 120 },
  {
    key: 'dateDue',
    width: 130,
    cell: ({ dateDue, status }) => (
      <span className="tabular" style={status === 'overdue' ? { color: 'var(--mantine-color-error)' } : undefined}>
        {formatDay(dateDue)}
      </span>
    ),
  },
  {
    key: 'status',
    width: 200,
    cell: ({ status }) => <Status status={status} />,
  },
  { key: 'idResponsible', width: 200 },
]

/** Запросы клиентов: patients' requests about their data, with deadlines. */
export default function RequestsPage() {
  return (
    <RegistryPage
      page={pageByKey('patientRequests')}
      entity={PatientRequest}
      columns={columns}
      expand={['customer']}
      beside={({ id }) => <PrintMenu entity="consents/requests" id={id} variant="subtle" />}
      filters={requestFilters}
    />
  )
}
