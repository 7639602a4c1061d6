import { Box, Button, Menu, TextInput } from '@mantine/core'
import { Funnel } from '@ordinator/model/areas/sales/funnel'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconFilter, IconLayoutKanban, IconListDetails, IconPencil, IconPlus, IconSettings } from '@tabler/icons-react'
import { useState } from 'react'
import { useAddress, useGo } from '#base/address.ts'
import { id, mark } from '#base/addressValues.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { OrderedRow } from '#kit/OrderedRow.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block } from '#kit/Stacks.tsx'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { useList } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import { useMove, useRemove, useSave } from '#records/writes.ts'
import { useMaySetUp } from '../board/useFunnelData.ts'
import classes from './Funnels.module.css'

const MAX = 200
const MAX_NAME = 128
const page = pageByKey('funnels')
type FunnelRow = Row<typeof Funnel>

/** Воронки: ordered, with links to settings and deals. */
export default function FunnelsPage() {
  const [address, setAddress] = useAddress((search) => ({
    new: mark(search.new),
    rename: id(search.rename),
  }))
  const go = useGo()
  const mayEdit = useMaySetUp()
  const list = useList(Funnel, {
    sort: 'order',
    limit: MAX,
    expand: ['stages'],
    fields: [...['name', 'order', 'leadsCount'], ...['stages.name', 'stages.color', 'stages.order']],
  })
  const funnels = list.data?.items ?? []
  const move = useMove(Funnel)
  const remove = useRemove(Funnel)
  const create = () => setAddress({ new: true })
  useHotkey('n', create, { enabled: mayEdit, label: 'Новая воронка', group: page.title })
  const renamed = funnels.find((one) => one.id === address.rename)
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          mayEdit && (
            <>
              <ActionButton
                label="Справочники"
                variant="default"
                icon={IconListDetails}
                renderRoot={(props) => <PageLink page="salesSources" {...props} />}
              />
              <ActionButton label="Новая воронка" icon={IconPlus} onClick={create} />
            </>
          )
        }
      >
        <FamilyTabs page={page} />
      </PageHead>
      <Box px="var(--ord-page)" pb="var(--ord-page)" maw={1080}>
        {list.isPending ? (
          <LinesSkeleton lines={4} />
        ) : list.isError && funnels.length === 0 ? (
          <ErrorState title="Воронки не загрузились" error={list.error} onRetry={() => void list.refetch()} />
        ) : funnels.length === 0 ? (
          <EmptyState
            icon={IconFilter}
            title="Воронок пока нет"
            text="Сделки идут по этапам воронки: от первого обращения до договора."
            action={mayEdit && <Button onClick={create}>Создать воронку</Button>}
          />
        ) : (
          <Block component="ul" framed aria-label="Воронки">
            {funnels.map((funnel) => (
              <OrderedRow
                key={funnel.id}
                kind="funnels"
                row={funnel}
                rows={funnels}
                name={funnel.name}
                mayEdit={mayEdit}
                onPut={(dragged, place) => move.mutate({ id: dragged, ...place })}
                menu={
                  <>
                    <Menu.Divider />
                    <MenuItem
                      label="Переименовать"
                      icon={IconPencil}
                      onClick={() => setAddress({ rename: funnel.id })}
                    />
                    <RemoveItem entity={Funnel} row={funnel} onRemove={() => remove.mutate(funnel.id)} />
                  </>
                }
              >
                <PageLink page="funnel" params={{ id: funnel.id }} className={classes.name}>
                  {funnel.name}
                </PageLink>
                <span className={classes.stages} aria-hidden>
                  {[...funnel.stages]
                    .sort((a, b) => a.order - b.order)
                    .map((stage) => (
                      <span
                        key={stage.id}
                        title={stage.name}
                        className={classes.piece}
                        style={{ background: stage.color }}
                      />
                    ))}
                </span>
                <span className={classes.fact}>{counted(funnel.stages.length, stageForms)}</span>
                <span className={classes.fact}>{counted(funnel.leadsCount ?? 0, dealForms)}</span>
                <IconButton
                  icon={IconLayoutKanban}
                  size={28}
                  label={`Сделки воронки «${funnel.name}»`}
                  title="Сделки"
                  onClick={() => void go({ page: 'deals', search: { funnel: funnel.id } })}
                />
                <IconButton
                  icon={IconSettings}
                  size={28}
                  className={classes.wide}
                  label={`Настройки воронки «${funnel.name}»`}
                  title="Настройки"
                  onClick={() => void go({ page: 'funnel', params: { id: funnel.id } })}
                />
              </OrderedRow>
            ))}
          </Block>
        )}
      </Box>
      {(address.new || renamed) && mayEdit && (
        <NameForm
          funnel={renamed}
          onSaved={(saved) => {
            setAddress({ new: undefined, rename: undefined }, { replace: true })
            if (!renamed) void go({ page: 'funnel', params: { id: saved } })
          }}
          onClose={() => setAddress({ new: undefined, rename: undefined }, { replace: true })}
        />
      )}
    </>
  )
}

const stageForms = ['этап', 'этапа', 'этапов'] as const
const dealForms = ['сделка', 'сделки', 'сделок'] as const

function NameForm({
  funnel,
  onSaved,
  onClose,
}: {
  funnel: FunnelRow | undefined
  onSaved: (id: number) => void
  onClose: () => void
}) {
  const [name, setName] = useState(funnel?.name ?? '')
  const save = useSave(Funnel, { toast: false })
  return (
    <ActionDialog
      title={funnel ? 'Переименовать воронку' : 'Новая воронка'}
      size={440}
      action={funnel ? 'Сохранить' : 'Создать'}
      disabled={!name.trim()}
      run={async () => {
        const body = { name: name.trim() }
        onSaved((await save.mutateAsync(funnel ? { id: funnel.id, ...body } : body)).id)
        return false
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextInput
          label="Название"
          description={
            funnel ? undefined : 'Этапы «Новая», «В работе», «Предложение», «Успешно» и «Отказ» появятся сами'
          }
          required
          maxLength={MAX_NAME}
          value={name}
          error={errorOf('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}
