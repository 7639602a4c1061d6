import { Lead } from '@ordinator/model/areas/sales/lead'
import { uiOf } from '#records/fields/registry.ts'
import type { DraftState, RecordDraft } from '#records/recordDraft.ts'
import type { FullLead } from './fullLead.ts'

interface Props {
  name: keyof typeof Lead.fields
  lead: FullLead
  draft: RecordDraft<typeof Lead>
  state: DraftState<typeof Lead>
  mayEdit: boolean
  label?: string
  placeholder?: string
}

/** A field of the open deal, saved automatically. */
export function LeadField({ name, lead, draft, state, mayEdit, label, placeholder }: Props) {
  const f = Lead.all[name]
  const Input = f && uiOf(f).Input
  if (!f || !Input) return null
  const shown = { ...lead, ...state.changes }
  return (
    <Input
      entity={Lead}
      name={name}
      f={f}
      value={shown[name]}
      onChange={(value) => draft.change({ [name]: value }, true)}
      onBlur={() => void draft.flush()}
      label={label ?? f.options.label}
      placeholder={placeholder}
      error={state.errors[name]}
      readOnly={!mayEdit}
      row={lead}
    />
  )
}
