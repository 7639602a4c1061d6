import { Select } from '@mantine/core'
import { type Classification, classifications } from '@ordinator/model/areas/regulations/regulation'
import { regulationStatuses } from '@ordinator/model/areas/regulations/status'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { DateField } from '#kit/DateField.tsx'
import frame from '#kit/openCard.module.css'
import { useRegulationRoles } from '../calls.ts'
import type { DraftErrors, RegulationDraft } from './draft.ts'
import { ReviewersField } from './ReviewersField.tsx'
import { ReviewMonthsField } from './TermFields.tsx'
import { UserField } from './UserFields.tsx'
import type { DraftActs } from './useRegulationDraft.ts'

interface Props {
  draft: RegulationDraft
  errors: DraftErrors
  acts: DraftActs
  view: RegulationView | undefined
}

/** Properties: kind, responsible, dates. */
export function EditorSide({ draft, errors, acts, view }: Props) {
  const roles = useRegulationRoles()
  return (
    <aside className={frame.side} aria-label="Свойства регламента">
      <div>
        <div className={frame.label}>Статус</div>
        {regulationStatuses[view?.status ?? 'template']}
        <div className={frame.nothing}>Меняется после сохранения, когда регламент отправят на проверку</div>
      </div>
      <Select
        label="Классификация"
        data={Object.keys(classifications)}
        value={draft.type}
        onChange={(type) => acts.change({ type: type as Classification })}
      />
      <UserField
        label="Ответственный"
        value={draft.responsibleUser}
        onChange={(responsibleUser) => acts.change({ responsibleUser })}
      />
      <Select
        label="Ответственная роль"
        placeholder="Не задана"
        data={namesOf(roles.data, draft.role)}
        description={draft.role ? roles.data?.[draft.role] : undefined}
        value={draft.role}
        error={errors.role}
        searchable
        clearable
        onChange={(role) => acts.change({ role })}
      />
      <DateField
        label="Вступает в силу"
        description="Пусто: вводится в действие вручную"
        value={draft.dateEffective}
        error={errors.dateEffective}
        onChange={(dateEffective) => acts.change({ dateEffective })}
      />
      <ReviewMonthsField value={draft.reviewMonths} onChange={(reviewMonths) => acts.change({ reviewMonths })} />
      {view ? (
        <ReviewersField view={view} />
      ) : (
        <div>
          <div className={frame.label}>Согласование</div>
          <div className={frame.nothing}>Кто проверяет и утверждает, можно указать после создания</div>
        </div>
      )}
    </aside>
  )
}

/** A deleted role stays selected until changed. */
function namesOf(roles: Record<string, string> | undefined, chosen: string | null): string[] {
  const names = Object.keys(roles ?? {})
  return chosen && !names.includes(chosen) ? [chosen, ...names] : names
}
