import { Box } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyButton } from '#kit/CopyButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { HStack } from '#kit/Stacks.tsx'
import classes from './Users.module.css'

export interface GivenPassword {
  login: string
  password: string
}

/** A generated password, shown only once: not stored in plain text. */
export function PasswordDialog({ given, onClose }: { given: GivenPassword | undefined; onClose: () => void }) {
  const text = given ? `Логин: ${given.login}\nПароль: ${given.password}` : ''
  return (
    <Dialog opened={given !== undefined} onClose={onClose} closeOnClickOutside={false} title="Новый пароль" size="sm">
      <Box component="p" mb={16}>
        Передайте его сотруднику. Пароль показан один раз, после входа его попросят сменить.
      </Box>
      <dl className={classes.given}>
        <dt>Логин</dt>
        <dd>{given?.login}</dd>
        <dt>Пароль</dt>
        <dd className={classes.secret}>{given?.password}</dd>
      </dl>
      <HStack wrap mt={24}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <ActionButton
              label={copied ? 'Скопировано' : 'Скопировать логин и пароль'}
              variant={copied ? 'light' : 'filled'}
              icon={copied ? IconCheck : IconCopy}
              onClick={copy}
              data-autofocus
            />
          )}
        </CopyButton>
        <ActionButton label="Готово" variant="default" onClick={onClose} />
      </HStack>
    </Dialog>
  )
}
