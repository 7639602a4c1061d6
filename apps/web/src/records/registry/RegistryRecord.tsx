import { Tabs } from '@mantine/core'
import { type Gate, refusal } from '@ordinator/model/access'
import type { Create, Entity, Row } from '@ordinator/model/entity'
import { wordsOf } from '@ordinator/model/registry'
import type { ComponentType, ReactNode } from 'react'
import { useAddress } from '#base/address.ts'
import { text } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { notify } from '#kit/notify.tsx'
import { FormSections, type Sections } from '../form/FormSections.tsx'
import type { FormParts } from '../form/formParts.ts'
import { editableFields } from '../form/formValues.ts'
import { RecordFields } from '../form/RecordFields.tsx'
import { HistoryList } from '../HistoryList.tsx'
import { RecordFacts } from '../RecordFacts.tsx'
import { RecordForm } from '../RecordForm.tsx'
import classes from './Registry.module.css'
import { TabStrip } from './TabStrip.tsx'

/** What a registry shows for one record, besides its form and history. */
export interface RecordParts<E extends Entity> {
  /**
   * Tabs between «Данные» and «История», by their names in the URL; limited to holders of one of `any`, and to records for
   * which `when` is true.
   */
  tabs?: Readonly<
    Record<
      string,
      { label: string; any?: Gate['any']; when?: (row: Row<E>) => boolean; panel: (row: Row<E>) => ReactNode }
    > & { main?: never; data?: never; history?: never }
  >
  /** The main content: comes before «Данные», and is shown first. */
  main?: { label: string; panel: (row: Row<E>) => ReactNode }
  /** The fields in a custom layout; default: as in the entity's registry. */
  form?: ((row: Row<E> | undefined) => ReactNode) | Sections
  /** Below the fields of the form, over the whole width: a `part` of a list, whose code comes with an open record. */
  below?: ComponentType
  /** Toast after saving. */
  saved?: string
}

interface Props<E extends Entity> extends RecordParts<E> {
  entity: E
  row: Row<E>
}

const read = (search: Search) => ({ tab: text(search.tab) })

/** A record of a registry: form, special tabs, history. */
export function RegistryRecord<E extends Entity>({ entity, row, main, tabs = {}, form, below, saved }: Props<E>) {
  const [{ tab }, setAddress] = useAddress(read)
  const actor = useActor()
  const open = Object.fromEntries(
    Object.entries(tabs).filter(([, { any, when }]) => !refusal(actor, { any }) && (when?.(row) ?? true)),
  )
  const all: Record<string, { label: string; panel: (row: Row<E>) => ReactNode }> = {
    ...(main && { main }),
    data: {
      label: 'Данные',
      panel: () => <RegistryForm entity={entity} row={row} form={form} below={below} saved={saved} />,
    },
    ...open,
    ...(!entity.unrecorded && {
      history: { label: 'История', panel: () => <HistoryList entity={entity} id={row.id} /> },
    }),
  }
  const first = main ? 'main' : 'data'
  const shown = tab !== undefined && Object.hasOwn(all, tab) ? tab : first
  return (
    <Tabs
      value={shown}
      onChange={(next) => setAddress({ tab: next && next !== first ? next : undefined }, { replace: true })}
      keepMounted={false}
      className={classes.tabs}
    >
      <TabStrip active={shown}>
        {Object.entries(all).map(([key, { label }]) => (
          <Tabs.Tab key={key} value={key}>
            {label}
          </Tabs.Tab>
        ))}
      </TabStrip>
      {Object.entries(all).map(([key, { panel }]) => (
        <Tabs.Panel key={key} value={key} className={classes.panel}>
          {panel(row)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

interface FormProps<E extends Entity> extends Pick<RecordParts<E>, 'form' | 'below' | 'saved'> {
  entity: E
  /** Absent: a new one. */
  row?: Row<E>
  /** Initial values of a new record, or of a copy. */
  initial?: Partial<Create<E>>
  draft?: string
  parts?: FormParts
  onMade?: (row: Row<E>) => void
  onCancel?: () => void
}

/** The form of a record in its registry's layout; facts for a record that cannot be changed. */
export function RegistryForm<E extends Entity>(props: FormProps<E>) {
  const { entity, row, form, below: Below, saved, onMade, ...rest } = props
  const words = wordsOf(entity)
  const actor = useActor()
  if (row && !form && !entity.registry?.form && editableFields(entity, actor, false).length === 0)
    return <RecordFacts entity={entity} id={row.id} />
  return (
    <div className={classes.form} data-wide={typeof form === 'function' || Below !== undefined || undefined}>
      <RecordForm
        entity={entity}
        record={row}
        {...rest}
        onSaved={(kept) => {
          notify.success(row ? (saved ?? words.saved) : words.made)
          if (!row) onMade?.(kept)
        }}
      >
        {typeof form === 'function' ? (
          form(row)
        ) : (
          <Fields form={form ?? entity.registry?.form} fresh={row === undefined} />
        )}
        {Below && <Below />}
      </RecordForm>
    </div>
  )
}

function Fields({ form, fresh }: { form: NonNullable<Entity['registry']>['form'] | Sections; fresh: boolean }) {
  if (!form || Array.isArray(form))
    return <RecordFields names={form as readonly string[] | undefined} autoFocus={fresh} />
  return <FormSections sections={form as Sections} autoFocus={fresh} />
}
