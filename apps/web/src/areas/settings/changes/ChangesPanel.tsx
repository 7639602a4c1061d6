import { type CommonSettingName, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { SidePanel } from '#kit/SidePanel.tsx'
import { ChangesList } from './ChangesList.tsx'

/** The history of one setting; without a name it is closed. */
export function ChangesPanel({ name, onClose }: { name: CommonSettingName | undefined; onClose: () => void }) {
  return (
    <SidePanel opened={name !== undefined} onClose={onClose} title={name ? commonSettings[name].label : ''}>
      {name && <ChangesList name={name} />}
    </SidePanel>
  )
}
