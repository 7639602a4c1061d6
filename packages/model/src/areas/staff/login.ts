/** Transliteration of Russian letters, as in URLs. */
const latin: Readonly<Record<string, string>> = Object.fromEntries(
  'а a б b в v г g д d е e ё e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ sch ъ - ы y ь - э e ю yu я ya'
    .split(' ')
    .reduce<[string, string][]>((pairs, part, at, all) => {
      if (at % 2 === 0) pairs.push([part, all[at + 1] === '-' ? '' : (all[at + 1] ?? '')])
      return pairs
    }, []),
)

const inLatin = (text: string): string =>
  [...text.trim().toLocaleLowerCase('ru')]
    .map((letter) => latin[letter] ?? letter)
    .join('')
    .replace(/[^a-z\d-]/g, '')

/** Proposes a login: `ivanova.a` for «Иванова Анна»; '' without a surname. */
export function proposedLogin(surname: string, name: string): string {
  const family = inLatin(surname)
  if (family.length < 2) return ''
  const first = inLatin(name)[0]
  return first ? `${family}.${first}` : family
}
