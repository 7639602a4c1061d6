import { type CommonSettingName, commonSettings, placeOf } from '@ordinator/model/areas/settings/commonSettings'
import { settingText } from '@ordinator/model/areas/settings/settingText'
import { pageByKey } from '@ordinator/model/pages'
import { Link } from '@tanstack/react-router'
import { routeTo } from '#base/address.ts'
import { Block, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { settingPlace } from '../openSetting.ts'
import { useSettingsState } from '../useSettings.ts'
import classes from './Front.module.css'

/** Found settings: name, page, and value. */
export function FoundSettings({ names }: { names: readonly CommonSettingName[] }) {
  const { data } = useSettingsState()
  return (
    <section className={classes.part} aria-label="Найденные настройки">
      <h2 className={classes.title}>Настройки</h2>
      <VStack component="ul" gap={8}>
        {names.map((name) => {
          const { label, help } = commonSettings[name]
          const { child, group } = placeOf(name)
          return (
            <li key={name}>
              <Block component={Link} {...routeTo(settingPlace(name))} framed p={12} className={classes.found}>
                <span className={classes.name}>{label}</span>
                {data && <span className={classes.value}>{settingText(name, data.values[name])}</span>}
                {help && <Fine className={classes.wide}>{help}</Fine>}
                <Fine className={classes.wide}>
                  {pageByKey(child.page).title} · {group}
                </Fine>
              </Block>
            </li>
          )
        })}
      </VStack>
    </section>
  )
}
