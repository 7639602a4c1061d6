import { KpiPlan } from '@ordinator/model/areas/kpi/kpi'
import { pageByKey } from '@ordinator/model/pages'
import { monthName } from '#areas/payroll/index.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { valueText } from './KpiTile.tsx'

/** Планы KPI: months by name, plans in the unit of their KPI. */
export default function KpiPlansPage() {
  return (
    <RegistryPage
      page={pageByKey('kpiPlans')}
      entity={KpiPlan}
      expand={['kpi']}
      columns={[
        { key: 'month', width: 150, cell: ({ month }) => monthName(month) },
        { key: 'idKpi', width: 230, cell: ({ kpi }) => kpi?.name },
        {
          key: 'plan',
          width: 130,
          cell: ({ plan, kpi }) => <span className="tabular">{valueText(plan, kpi?.unit ?? '')}</span>,
        },
        'idUser',
        'post',
        'idFilial',
        'green',
        'red',
        'weight',
      ]}
    />
  )
}
