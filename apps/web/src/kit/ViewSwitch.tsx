import { Menu, Tooltip } from '@mantine/core'
import { inSentence } from '@ordinator/model/format'
import { IconChevronDown, type TablerIcon } from '@tabler/icons-react'
import { MenuItem } from './ActionMenu.tsx'
import { useHotkey } from './hotkeys.ts'
import classes from './ViewSwitch.module.css'

interface Props<V extends string> {
  views: Readonly<Record<V, { label: string; icon: TablerIcon }>>
  view: V
  onChange: (view: V) => void
}

/** Views of a board; `v` switches to the next one. On a phone they are a menu. */
export function ViewSwitch<V extends string>({ views, view, onChange }: Props<V>) {
  const names = Object.keys(views) as V[]
  const list = names.map((one) => inSentence(views[one].label)).join(', ')
  useHotkey('v', () => onChange(names[(names.indexOf(view) + 1) % names.length] as V), {
    label: `Следующий вид: ${list}`,
    group: 'Доска',
  })
  const Current = views[view].icon
  return (
    <>
      <fieldset className={classes.row} aria-label="Вид">
        {names.map((one) => {
          const { icon: Icon, label } = views[one]
          return (
            <Tooltip key={one} label={label} openDelay={400}>
              <button
                type="button"
                className={classes.one}
                aria-pressed={one === view}
                aria-label={label}
                onClick={() => onChange(one)}
              >
                <Icon size={16} aria-hidden />
                <span className={classes.word} aria-hidden>
                  {label}
                </span>
              </button>
            </Tooltip>
          )
        })}
      </fieldset>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <button type="button" className={classes.phone} aria-label={`Вид: ${views[view].label}`}>
            <Current size={18} aria-hidden />
            <IconChevronDown size={14} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {names.map((one) => {
            const { icon: Icon, label } = views[one]
            return <MenuItem label={label} key={one} icon={Icon} onClick={() => onChange(one)} />
          })}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
