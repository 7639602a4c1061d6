import { LabAnalyte, LabNorm } from '@ordinator/model/areas/laboratory/catalogue'
import { normText } from '@ordinator/model/areas/laboratory/values'
import { cyclePhases, normSexes, sections, trimesters } from '@ordinator/model/areas/laboratory/words'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { Fine } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

const analyteFilters = filters(LabAnalyte, {
  section: choice('section', { options: sections, any: 'Любой отдел' }),
  type: choice('type', { any: 'Любое значение' }),
})

const tabs: RecordParts<typeof LabAnalyte>['tabs'] = {
  norms: { label: 'Нормы', panel: (analyte) => <Norms analyte={analyte} /> },
}

/** Показатели: analytes with units and norms. */
export default function AnalytesPage() {
  return <RegistryPage page={pageByKey('labAnalytes')} entity={LabAnalyte} filters={analyteFilters} tabs={tabs} />
}

const YEAR = 365

/** Age as text: years from three on, days before. */
const age = (days: number): string => (days >= 3 * YEAR ? `${Math.floor((days + 1) / YEAR)} лет` : `${days} дн.`)

const ages = (from: number | null, to: number | null): string =>
  from === null && to === null
    ? ''
    : to === null
      ? `от ${age(from ?? 0)}`
      : `${from ? `${age(from)} – ` : 'до '}${age(to)}`

const Norms = ({ analyte }: { analyte: Row<typeof LabAnalyte> }) => (
  <PartList
    entity={LabNorm}
    title="Нормы"
    of={{ idAnalyte: analyte.id }}
    fields={[
      'sex',
      'ageFrom',
      'ageTo',
      'trimester',
      'cyclePhase',
      'low',
      'high',
      'criticalLow',
      'criticalHigh',
      'text',
      'source',
    ]}
    face={(norm) => (
      <>
        <b className="tabular">{normText(norm) ?? '—'}</b> {analyte.unit}
        <Fine component="div">
          {[
            norm.sex && normSexes[norm.sex].toLowerCase(),
            ages(norm.ageFrom, norm.ageTo),
            norm.trimester && trimesters[norm.trimester],
            norm.cyclePhase && cyclePhases[norm.cyclePhase].toLowerCase(),
            norm.criticalLow !== null && `критично ниже ${norm.criticalLow}`,
            norm.criticalHigh !== null && `критично выше ${norm.criticalHigh}`,
          ]
            .filter(Boolean)
            .join(' · ') || 'всем'}
        </Fine>
        <Fine component="div">{norm.source || 'норма лаборатории'}</Fine>
      </>
    )}
  />
)
