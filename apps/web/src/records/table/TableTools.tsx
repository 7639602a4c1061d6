import type { Entity } from '@ordinator/model/entity'
import { inSentence } from '@ordinator/model/format'
import type { ReactNode } from 'react'
import { useActor } from '#base/session.ts'
import { HStack } from '#kit/Stacks.tsx'
import { ListTools } from '#kit/ToolsSlot.tsx'
import { searchFields } from '../conditions.ts'
import classes from '../RecordTable.module.css'
import type { useListState } from '../useListState.ts'
import { FilterBuilder } from './FilterBuilder.tsx'
import { SearchBox } from './SearchBox.tsx'
import type { useTableColumns } from './useTableColumns.ts'
import { ViewMenu } from './ViewMenu.tsx'
import { contentsOf, isSame, stateOfView, type ViewContents } from './views.ts'

interface Props {
  entity: Entity
  list: ReturnType<typeof useListState>
  chosen: ReturnType<typeof useTableColumns>
  bare: boolean
  narrow: boolean
  tools: ReactNode
  /** Controls of the table itself. */
  children: ReactNode
}

/** Search, conditions and views above a table, and its own controls. */
export function TableTools({ entity, list, chosen, bare, narrow, tools, children }: Props) {
  const actor = useActor()
  if (bare && !tools)
    return <ListTools otherwise={(own) => <HStack justify="flex-end">{own}</HStack>}>{children}</ListTools>
  return (
    <div className={classes.tools}>
      {!bare && searchFields(entity).length > 0 && (
        <div className={classes.search}>
          <SearchBox
            value={list.state.search}
            onChange={(search) => list.set({ search }, { replace: true })}
            placeholder={searchText(entity)}
          />
        </div>
      )}
      {!bare && (
        <>
          <FilterBuilder
            entity={entity}
            actor={actor}
            conditions={list.state.conditions}
            onApply={(conditions) => list.set({ conditions })}
            compact={narrow}
          />
          <ViewMenu<ViewContents>
            views={chosen.views.items}
            opened={list.state.view}
            current={contentsOf(list.state, chosen.keys)}
            isSame={isSame}
            about="Запомнит поиск, условия, порядок и столбцы"
            onOpen={(opened) => {
              chosen.forget()
              if (opened) list.set(stateOfView(entity, opened))
              else list.reset()
            }}
            onChange={(items) => {
              chosen.forget()
              chosen.saveViews({ items })
            }}
            sharing={chosen.sharing}
            compact={narrow}
          />
        </>
      )}
      {tools}
      <div className={classes.own}>{children}</div>
    </div>
  )
}

function searchText(entity: Entity): string {
  const labels = searchFields(entity).map(([, f]) => inSentence(f.options.label))
  return labels.length > 3 ? 'Поиск' : `Поиск: ${labels.join(', ')}`
}
