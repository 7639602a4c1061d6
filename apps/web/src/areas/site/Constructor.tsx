import { Alert, Select } from '@mantine/core'
import {
  type BlockKind,
  blockKinds,
  blockTypes,
  checkBlocks,
  MAX_BLOCKS,
  newBlock,
  type Block as SiteBlock,
} from '@ordinator/model/areas/site/blocks'
import { SitePage } from '@ordinator/model/areas/site/page'
import type { Row } from '@ordinator/model/entity'
import { IconWorldUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { useDraft } from '#base/draft.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { addAndFocus } from '#kit/AddLine.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { StickyFoot } from '#kit/StickyFoot.tsx'
import type { SortPlace } from '#kit/useSortable.ts'
import { useUnsavedGuard } from '#kit/useUnsavedGuard.ts'
import { Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useSave } from '#records/writes.ts'
import { BlockLine } from './BlockLine.tsx'
import { PagePreview } from './PagePreview.tsx'
import { placed } from './placed.ts'
import classes from './Site.module.css'

type Page = Row<typeof SitePage>

/** Page editor: blocks at the left, preview at the right. */
export function Constructor({ page }: { page: Page }) {
  const mayEdit = useCan('update', SitePage)
  const kept = useDraft<SiteBlock[]>(mayEdit ? `client-page:${page.id}` : undefined)
  const [base, setBase] = useState(page)
  const [blocks, setBlocks] = useState<SiteBlock[]>(() => kept.found?.value ?? page.blocks ?? [])
  const [restored, setRestored] = useState(kept.found !== undefined)
  const [open, setOpen] = useState<number>()
  const [refused, setRefused] = useState<string>()
  const [publishing, setPublishing] = useState(false)
  const save = useSave(SitePage, { optimistic: false })
  const cache = useQueryClient()
  const dirty = useMemo(() => JSON.stringify(blocks) !== JSON.stringify(base.blocks ?? []), [blocks, base])
  const { errors } = useMemo(() => checkBlocks(blocks), [blocks])
  useUnsavedGuard(dirty)
  const moved = page._version !== base._version && JSON.stringify(page.blocks) !== JSON.stringify(base.blocks)
  // A save of other fields (name, address) is no conflict of blocks.
  if (page._version !== base._version && !moved) setBase(page)

  const latest = useRef(blocks)
  useEffect(() => void (latest.current = blocks), [blocks])
  const write = (next: SiteBlock[]) => {
    setBlocks(next)
    setRefused(undefined)
    kept.keep(next)
  }
  const remove = (block: SiteBlock) => {
    const at = blocks.indexOf(block)
    write(blocks.filter((one) => one !== block))
    notify.undo(`Блок «${blockTypes[block.type].label}» удалён`, () => write(latest.current.toSpliced(at, 0, block)))
  }
  const drop = () => {
    kept.drop()
    setRestored(false)
    setRefused(undefined)
    setBase(page)
    setBlocks(page.blocks ?? [])
  }
  const put = (id: number, place: SortPlace) => write(placed(blocks, id, place))
  const add = (type: BlockKind) => {
    const block = newBlock(type, blocks)
    write([...blocks, block])
    setOpen(block.id)
  }
  const keep = async (): Promise<Page | undefined> => {
    if (!dirty) return base
    const row = (await save.mutateAsync({ id: page.id, blocks, _version: base._version })) as Page
    kept.drop()
    setRestored(false)
    setBase(row)
    setBlocks(row.blocks ?? [])
    return row
  }
  const showError = (error: unknown) =>
    setRefused(
      error instanceof ApiError && error.status === 409
        ? 'Страницу изменил другой сотрудник. Ваши блоки остались здесь: отмените правки, чтобы увидеть его.'
        : errorMessage(error),
    )
  const submit = () =>
    keep()
      .then(() => notify.success('Черновик сохранён'))
      .catch(showError)
  const publish = async () => {
    setPublishing(true)
    try {
      const row = await keep()
      if (!row) return
      const after = await api('POST /client/pages/:id/publish', {
        params: { id: page.id },
        body: { _version: row._version },
      })
      setBase(after)
      await cache.invalidateQueries({ queryKey: [SitePage.path] })
      notify.success(`Опубликована версия ${after.publishedNumber}: посетители увидят её в течение минуты`)
    } catch (error) {
      showError(error)
    }
    setPublishing(false)
  }
  const wrong = errors[0]
  return (
    <div className={classes.columns}>
      <VStack gap={12} miw={0}>
        {restored && (
          <Alert color="yellow" variant="light" role="status">
            <HStack justify="space-between" wrap>
              Восстановлены несохранённые блоки
              <ActionButton label="Отменить правки" reverse size="compact-sm" variant="default" onClick={drop} />
            </HStack>
          </Alert>
        )}
        {moved && (
          <Alert color="yellow" variant="light" role="status">
            <HStack justify="space-between" wrap>
              Страницу изменил другой сотрудник
              <ActionButton label="Взять его блоки" size="compact-sm" variant="default" onClick={drop} />
            </HStack>
          </Alert>
        )}
        {blocks.length === 0 && (
          <EmptyState title="На странице пусто" text="Начните с баннера или текста: выберите вид блока ниже" />
        )}
        <ul className={classes.blocks} aria-label="Блоки страницы">
          {blocks.map((block) => (
            <BlockLine
              key={block.id}
              block={block}
              blocks={blocks}
              errors={errors.filter(({ id }) => id === block.id)}
              isOpen={open === block.id}
              mayEdit={mayEdit}
              onOpen={() => setOpen(open === block.id ? undefined : block.id)}
              onChange={(next) => write(blocks.map((one) => (one.id === block.id ? next : one)))}
              onPut={put}
              onCopy={() => {
                const copy = { ...block, id: newBlock(block.type, blocks).id }
                write(blocks.flatMap((one) => (one.id === block.id ? [one, copy] : [one])))
              }}
              onRemove={() => remove(block)}
            />
          ))}
        </ul>
        {mayEdit && (
          <Select
            label="Добавить блок"
            placeholder="Вид блока…"
            data={blockKinds.map((value) => ({ value, label: blockTypes[value].label }))}
            renderOption={({ option }) => (
              <div>
                {option.label}
                <Fine component="div">{blockTypes[option.value as BlockKind].help}</Fine>
              </div>
            )}
            value={null}
            searchable
            disabled={blocks.length >= MAX_BLOCKS}
            nothingFoundMessage="Такого вида нет"
            onChange={(type) => type && addAndFocus(document.activeElement, () => add(type as BlockKind))}
          />
        )}
        {mayEdit && (
          <StickyFoot justify="flex-end">
            <Block grow miw={0} className="breaks" role="status">
              {(refused ?? (dirty && wrong)) && (
                <Fine c="var(--mantine-color-error)" component="div">
                  {refused ?? wrong?.message}
                </Fine>
              )}
            </Block>
            {dirty && <ActionButton label="Отменить правки" reverse variant="default" onClick={drop} />}
            <ActionButton
              label="Сохранить черновик"
              variant="default"
              disabled={!dirty || wrong !== undefined}
              loading={save.isPending && !publishing}
              onClick={() => void submit()}
            />
            <ActionButton
              label="Опубликовать"
              icon={IconWorldUpload}
              disabled={wrong !== undefined || blocks.length === 0 || (!dirty && !base.isChanged)}
              loading={publishing}
              onClick={() => void publish()}
            />
          </StickyFoot>
        )}
      </VStack>
      <PagePreview title={page.title} blocks={blocks} isHome={page.isHome} isWrong={wrong !== undefined} />
    </div>
  )
}
