import { Badge } from '@mantine/core'
import { type BlockError, blockTypes, type Block as SiteBlock } from '@ordinator/model/areas/site/blocks'
import { IconCopy, IconEye, IconEyeOff, IconTrash } from '@tabler/icons-react'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { OrderedRow } from '#kit/OrderedRow.tsx'
import type { SortPlace } from '#kit/useSortable.ts'
import { Fine } from '#kit/Words.tsx'
import { BlockFields } from './BlockFields.tsx'
import classes from './Site.module.css'

interface Props {
  block: SiteBlock
  blocks: readonly SiteBlock[]
  errors: readonly BlockError[]
  isOpen: boolean
  mayEdit: boolean
  onOpen: () => void
  onChange: (block: SiteBlock) => void
  onPut: (id: number, place: SortPlace) => void
  onCopy: () => void
  onRemove: () => void
}

/** A block of a page: type and summary; opened, its fields. */
export function BlockLine(props: Props) {
  const { block, blocks, errors, isOpen, mayEdit, onOpen, onChange, onPut, onCopy, onRemove } = props
  const { label } = blockTypes[block.type]
  const title = typeof block.values.title === 'string' ? block.values.title : ''
  const name = title ? `${label}: ${title}` : label
  return (
    <OrderedRow
      kind="site-block"
      row={block}
      rows={blocks}
      name={name}
      mayEdit={mayEdit}
      onPut={onPut}
      menu={
        <>
          <MenuItem
            label={block.isOff ? 'Показать на сайте' : 'Скрыть с сайта'}
            icon={block.isOff ? IconEye : IconEyeOff}
            onClick={() => onChange({ ...block, isOff: !block.isOff })}
          />
          <MenuItem label="Дублировать" icon={IconCopy} onClick={onCopy} />
          <MenuItem label="Удалить блок" danger icon={IconTrash} onClick={onRemove} />
        </>
      }
    >
      <div className={classes.block}>
        <button type="button" className={classes.face} aria-expanded={isOpen} onClick={onOpen}>
          <span className={classes.name} data-off={block.isOff || undefined}>
            {label}
          </span>
          {title && <Fine className={classes.said}>{title}</Fine>}
          {block.isOff && (
            <Badge color="gray" variant="light">
              Скрыт
            </Badge>
          )}
          {errors.length > 0 && (
            <Badge color="red" variant="light">
              Заполните
            </Badge>
          )}
        </button>
        {isOpen && <BlockFields block={block} errors={errors} readOnly={!mayEdit} onChange={onChange} />}
      </div>
    </OrderedRow>
  )
}
