import type { Actor } from '@ordinator/model/access'
import type { Customer } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import type { TablerIcon } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import type { Account } from '#base/account.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { BulkAction } from '#records/table/BulkBar.tsx'

type CustomerRow = Row<typeof Customer>
export type CardTabs = Readonly<Record<string, NonNullable<RecordParts<typeof Customer>['tabs']>[string]>>
type Of = ComponentType<{ idCustomer: number }>

/** A bulk action of another area in the list of patients, and its dialog. */
export interface CustomersBulk {
  action: BulkAction<{ id: number }>
  dialog: ReactNode
}

/** A button or an item of the menu that opens a dialog. */
export interface CardAction {
  label: string
  icon: TablerIcon
  may: (actor: Actor, settings: Account['common']['settings']) => boolean
  Dialog: ComponentType<{ customer: CustomerRow; onClose: () => void }>
}

/**
 * What an area shows in the card of a patient, so that the card imports no area that has links to patients. An area exports
 * its parts from `customerCard.tsx`; `app/CustomerScreen.tsx` lists the areas.
 */
export interface CustomerCard {
  /** Name of the area. */
  name: string
  /** Tabs of what is done with the patient, after the timeline. */
  tabs?: CardTabs
  /** Tabs after those of the person. */
  laterTabs?: CardTabs
  /** Below the papers of the person. */
  Papers?: Of
  /** A fact of the summary: a `div` with `dt` and `dd`, or nothing. */
  Fact?: Of
  /** Beside the name. */
  Mark?: Of
  buttons?: readonly CardAction[]
  /** Items of the menu, for those who may change the card. */
  items?: readonly CardAction[]
}
