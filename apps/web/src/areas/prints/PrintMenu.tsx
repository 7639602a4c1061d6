import { Menu } from '@mantine/core'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { type Printed, PrintTemplate, printKinds } from '@ordinator/model/areas/prints/printTemplate'
import type { Row } from '@ordinator/model/entity'
import { IconPrinter, IconRefresh } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { ApiError } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useList } from '#records/reads.ts'
import { openPaper, ReissueDialog } from './ReissueDialog.tsx'

type Template = Pick<Row<typeof PrintTemplate>, 'id' | 'name' | 'kind' | 'idSequence'>

interface Props {
  entity: Printed
  /** Id of the record. */
  id: number
  /** Style of the button, as of its neighbours. */
  variant?: 'default' | 'subtle'
  /** Differs where the record also has a built-in paper. */
  label?: string
  /** Saves changes before printing. */
  before?: () => Promise<unknown>
}

/** Maximum templates in the menu. */
const MAX = 100

/** «Печать» of a record: menu of its templates; hidden without any. */
export function PrintMenu({ entity, id, variant = 'default', label = 'Печать', before }: Props) {
  const { templates, print, reissue, isBusy, isPending, dialog } = usePrint({ entity, id, before })
  useRevealDelay(isPending)
  if (templates.length === 0) return null
  const [only, ...more] = templates
  return (
    <>
      {more.length === 0 && only && !reissue ? (
        <IconButton
          icon={IconPrinter}
          label={`${label}: ${only.name}`}
          variant={variant}
          loading={isBusy}
          onClick={() => void print(only)}
        />
      ) : (
        <ActionMenu label={label} icon={IconPrinter} variant={variant}>
          <PrintItems templates={templates} print={print} />
          {reissue && (
            <>
              <Menu.Divider />
              <MenuItem label="Перевыпустить…" icon={IconRefresh} onClick={reissue} />
            </>
          )}
        </ActionMenu>
      )}
      {dialog}
    </>
  )
}

/** Above toasts. */
const OVER_TOASTS = 1100

/** «Печать» as a text button, also within a toast. */
export function PrintAction({ entity, id }: Pick<Props, 'entity' | 'id'>) {
  const { templates, print, isBusy, dialog } = usePrint({ entity, id })
  const [only, ...more] = templates
  if (!only) return null
  const button = { label: 'Печать', icon: IconPrinter, size: 'compact-sm', variant: 'light', loading: isBusy } as const
  return (
    <>
      {more.length === 0 ? (
        <ActionButton {...button} title={only.name} onClick={() => void print(only)} />
      ) : (
        <Menu position="top-start" zIndex={OVER_TOASTS}>
          <Menu.Target>
            <ActionButton {...button} />
          </Menu.Target>
          <Menu.Dropdown>
            <PrintItems templates={templates} print={print} />
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog}
    </>
  )
}

/** Templates of a record as menu items. */
const PrintItems = ({ templates, print }: Pick<ReturnType<typeof usePrint>, 'templates' | 'print'>) =>
  Object.entries(printKinds).map(([kind, label]) => {
    const own = templates.filter((one) => one.kind === kind)
    return (
      own.length > 0 && (
        <Fragment key={kind}>
          <Menu.Label>{label}</Menu.Label>
          {own.map((one) => (
            <MenuItem key={one.id} label={one.name} onClick={() => void print(one)} />
          ))}
        </Fragment>
      )
    )
  })

function usePrint({ entity, id, before }: Pick<Props, 'entity' | 'id'> & { before?: Props['before'] | undefined }) {
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState<Template>()
  const [isReissuing, setReissuing] = useState(false)
  const list = useList(
    PrintTemplate,
    { filter: { entity, isInForce: true }, fields: ['id', 'name', 'kind', 'idSequence'], sort: 'name', limit: MAX },
    { forbidden: 'silent' },
  )
  const templates = (list.data?.items ?? []) as Template[]
  const send = (template: Template, idFilial?: number) =>
    openPaper(template.id, template.name, id, idFilial === undefined ? {} : { idFilial })
  const print = async (template: Template) => {
    setBusy(true)
    try {
      await before?.()
      await send(template)
    } catch (error) {
      // The number needs a branch: ask for it.
      if (error instanceof ApiError && error.fields?.some(({ field }) => field === 'idFilial')) setAsking(template)
      else notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const dialog = (
    <>
      {asking && (
        <BranchDialog
          name={asking.name}
          run={(idFilial) => send(asking, idFilial)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {isReissuing && <ReissueDialog entity={entity} id={id} onClose={() => setReissuing(false)} />}
    </>
  )
  // Only documents with a number keep what they were made with.
  const reissue = templates.some(({ idSequence }) => idSequence !== null) ? () => setReissuing(true) : undefined
  return { templates, print, reissue, isBusy: busy, isPending: list.isPending, dialog }
}

function BranchDialog({
  name,
  run,
  onClose,
}: {
  name: string
  run: (idFilial: number) => Promise<void>
  onClose: () => void
}) {
  const [idFilial, setFilial] = useState<number | null>(null)
  return (
    <ActionDialog
      title={name}
      action="Напечатать"
      disabled={idFilial === null}
      run={() => run(idFilial as number)}
      onClose={onClose}
    >
      {(errorOf) => (
        <RefSelect
          to={Filial.path}
          label="Филиал"
          description="Его код стоит в номере документа"
          required
          value={idFilial}
          onChange={setFilial}
          error={errorOf('idFilial')}
          autoFocus
        />
      )}
    </ActionDialog>
  )
}
