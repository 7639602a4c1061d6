import { useAccount } from '#base/session.ts'
import { RefSelect } from '#records/fields/RefSelect.tsx'

/** Whether the clinic notes who sends patients from outside. */
export const useHasReferrers = (): boolean => useAccount().common.settings.referrersActive === true

interface Props {
  value: number | null
  error?: string | undefined
  onChange: (idReferrer: number | null) => void
}

/** Choice of an outside referrer; nothing while the clinic keeps none. */
export function ReferrerSelect({ value, error, onChange }: Props) {
  if (!useHasReferrers() && value === null) return null
  return (
    <RefSelect
      to="referrers"
      filter={{ active: true }}
      label="Кто направил"
      placeholder="Никто со стороны"
      value={value}
      error={error}
      makes={false}
      onChange={onChange}
    />
  )
}
