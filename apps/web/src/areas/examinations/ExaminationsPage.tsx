import { Examination } from '@ordinator/model/areas/examinations/examination'
import { formatDay } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { CustomerLink } from '#areas/customers/index.ts'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { StatusMark } from './ExaminationStatus.tsx'
import { NewExaminationDialog } from './NewExaminationDialog.tsx'

const examinationFilters = filters(Examination, {
  status: choice('status', { any: 'Любое состояние' }),
  doctor: refs('idUser', { label: 'Врач', any: 'Любой врач' }),
  template: refs('idTemplate', { label: 'Шаблон', any: 'Любой шаблон' }),
  date: period('date', { label: 'Дата' }),
})

/** Осмотры: the list with patients, diagnoses and unsigned ones. */
export default function ExaminationsPage() {
  return (
    <RegistryPage
      page={pageByKey('examinations')}
      entity={Examination}
      pageOf={(id) => pagePath('examination', { id })}
      create={NewExaminationDialog}
      expand={['customer', 'user']}
      filters={examinationFilters}
      columns={[
        { key: 'name', width: 200 },
        {
          key: 'idCustomer',
          width: 180,
          sort: false,
          cell: ({ customer }) =>
            customer ? <CustomerLink customer={customer} tab="examinations" /> : <Muted>не виден</Muted>,
        },
        {
          key: 'date',
          label: 'Дата',
          width: 110,
          cell: ({ date }) => <span className="tabular">{formatDay(date)}</span>,
        },
        { key: 'status', width: 140, cell: ({ status }) => <StatusMark status={status} /> },
        { key: 'diagnosis', width: 280 },
        { key: 'idUser', width: 160 },
        { key: 'filled', label: 'Полнота, %', width: 110 },
      ]}
      isMuted={({ status }) => status === 'corrected'}
      removable={false}
    />
  )
}
