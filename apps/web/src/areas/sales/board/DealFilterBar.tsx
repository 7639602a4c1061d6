import { IconArrowsMinimize } from '@tabler/icons-react'
import { IconButton } from '#kit/IconButton.tsx'
import { FilterBar } from '#records/filters/FilterBar.tsx'
import type { DealsAddress, SetDealsAddress } from '../address.ts'
import { dealFilters } from '../dealFilters.ts'
import { DealViews } from './DealViews.tsx'

interface Props {
  idFunnel: number
  address: DealsAddress
  setAddress: SetDealsAddress
  compact: boolean
  onCompact: (compact: boolean) => void
}

/** Filters of deals in every view, stored in the URL. */
export function DealFilterBar({ idFunnel, address, setAddress, compact, onCompact }: Props) {
  return (
    <FilterBar filters={dealFilters} values={address} onChange={setAddress}>
      {(address.view ?? 'board') === 'board' && (
        <IconButton
          icon={IconArrowsMinimize}
          size={32}
          variant={compact ? 'light' : 'default'}
          label="Компактные карточки"
          aria-pressed={compact}
          onClick={() => onCompact(!compact)}
        />
      )}
      <DealViews idFunnel={idFunnel} address={address} setAddress={setAddress} />
    </FilterBar>
  )
}
