import { ActionIcon, type ActionIconProps, polymorphic, UnstyledButton, useMantineTheme } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { CSSProperties } from 'react'

export interface IconButtonProps extends ActionIconProps {
  icon: TablerIcon
  /** Accessible name; also the tooltip, unless `title` gives a shorter one. */
  label: string
  title?: string
}

/** A button with only an icon. */
export const IconButton = polymorphic<'button', IconButtonProps>(
  ({ icon: Icon, label, title = label, variant = 'subtle', ...rest }: IconButtonProps) => {
    const { size } = rest
    const color = variant === 'subtle' ? 'gray' : undefined
    const picture = <Icon size={size === SMALL ? 16 : 18} aria-hidden />
    if (isPlain(rest))
      return (
        <PlainButton variant={variant} color={color} aria-label={label} title={title} {...rest}>
          {picture}
        </PlainButton>
      )
    return (
      <ActionIcon variant={variant} color={color} aria-label={label} title={title} {...rest}>
        {picture}
      </ActionIcon>
    )
  },
)

/** Size within a line of text. */
const SMALL = 24

/** Props a plain button can take: with any other prop Mantine's component is used. */
const OWN = /^(aria-.+|data-(?!disabled).+|on[A-Z].+|className|disabled|id|ref|tabIndex|type)$/

const isPlain = (props: Pick<IconButtonProps, 'size'>): props is Pick<PlainProps, 'size'> & ButtonProps =>
  (props.size === undefined || typeof props.size === 'number') &&
  Object.keys(props).every((prop) => prop === 'size' || OWN.test(prop))

type ButtonProps = Omit<React.ComponentPropsWithRef<'button'>, 'style' | 'color'>

interface PlainProps extends ButtonProps {
  variant: string
  color: string | undefined
  size?: number | undefined
}

/**
 * The same markup as Mantine's ActionIcon, without its component layers: a page has dozens of them, and they took a
 * twentieth of the time to open a board.
 */
function PlainButton({ variant, color, size, className, children, disabled, ...rest }: PlainProps) {
  const theme = useMantineTheme()
  const classes = [
    `mantine-focus-auto${disabled ? '' : ' mantine-active'}`,
    className,
    ActionIcon.classes.root,
    'mantine-ActionIcon-root',
    UnstyledButton.classes.root,
    'mantine-UnstyledButton-root',
  ]
  return (
    <button
      type="button"
      data-variant={variant}
      {...rest}
      disabled={disabled}
      data-disabled={disabled || undefined}
      className={classes.filter(Boolean).join(' ')}
      style={looksOf(theme, variant, color, size)}
    >
      <span className={`${ActionIcon.classes.icon} mantine-ActionIcon-icon`}>{children}</span>
    </button>
  )
}

type Theme = ReturnType<typeof useMantineTheme>
const looks = new WeakMap<Theme, Map<string, CSSProperties>>()

function looksOf(theme: Theme, variant: string, color: string | undefined, size: number | undefined): CSSProperties {
  const known = looks.get(theme) ?? new Map<string, CSSProperties>()
  looks.set(theme, known)
  const key = `${variant} ${color} ${size}`
  let found = known.get(key)
  if (!found) {
    const colors = theme.variantColorResolver({ color: color ?? theme.primaryColor, theme, variant })
    found = {
      ...(size === undefined ? {} : { '--ai-size': `calc(${size / 16}rem * var(--mantine-scale))` }),
      '--ai-bg': colors.background,
      '--ai-hover': colors.hover,
      ...(colors.hoverColor === undefined ? {} : { '--ai-hover-color': colors.hoverColor }),
      '--ai-color': colors.color,
      '--ai-bd': colors.border,
    } as CSSProperties
    known.set(key, found)
  }
  return found
}
