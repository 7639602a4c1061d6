import { Menu, Tooltip } from '@mantine/core'
import {
  IconCalendar,
  IconChevronDown,
  IconLayoutKanban,
  IconLayoutList,
  IconTable,
  type TablerIcon,
} from '@tabler/icons-react'
import { useHotkey } from '../../../kit/hotkeys.ts'
import { type BoardView, boardViews } from '../address.ts'
import classes from './ViewSwitch.module.css'

const icons: Record<BoardView, TablerIcon> = {
  board: IconLayoutKanban,
  list: IconLayoutList,
  table: IconTable,
  calendar: IconCalendar,
}
const views = Object.keys(boardViews) as BoardView[]

interface Props {
  view: BoardView
  onChange: (view: BoardView) => void
}

/** The four views of a workspace; `v` goes to the next one. On a phone they are a menu. */
export function ViewSwitch({ view, onChange }: Props) {
  useHotkey('v', () => onChange(views[(views.indexOf(view) + 1) % views.length] as BoardView), {
    label: 'Следующий вид: доска, список, таблица, календарь',
    group: 'Доска',
  })
  const Current = icons[view]
  return (
    <>
      <fieldset className={classes.row} aria-label="Вид">
        {views.map((one) => {
          const Icon = icons[one]
          return (
            <Tooltip key={one} label={boardViews[one]} openDelay={400}>
              <button
                type="button"
                className={classes.one}
                aria-pressed={one === view}
                aria-label={boardViews[one]}
                onClick={() => onChange(one)}
              >
                <Icon size={16} aria-hidden />
                <span className={classes.word} aria-hidden>
                  {boardViews[one]}
                </span>
              </button>
            </Tooltip>
          )
        })}
      </fieldset>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <button type="button" className={classes.phone} aria-label={`Вид: ${boardViews[view]}`}>
            <Current size={18} aria-hidden />
            <IconChevronDown size={14} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((one) => {
            const Icon = icons[one]
            return (
              <Menu.Item key={one} leftSection={<Icon size={16} />} onClick={() => onChange(one)}>
                {boardViews[one]}
              </Menu.Item>
            )
          })}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
