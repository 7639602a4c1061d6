/**
 * Common passwords of eight or more characters, from the yearly lists of leaked ones (NordPass, SecLists, the Russian lists
 * of DLBI), with their usual endings. Compared case-insensitively, without digits and signs at the ends.
 */
const words = `
password passwort passw0rd p@ssword p@ssw0rd pa$$word pa$$w0rd qwerty qwertyui qwertyuiop qwerty123 qazwsx qazwsxedc
qweasd qweasdzxc asdfgh asdfghjk asdfghjkl zxcvbn zxcvbnm zxcvbnm, 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc
q1w2e3 q1w2e3r4 q1w2e3r4t5 qwer1234 asdf1234 abcd1234 abc123 a1b2c3 a1b2c3d4 1a2b3c 1a2b3c4d admin administrator
letmein welcome iloveyou sunshine princess football baseball superman batman master monkey dragon shadow michael
jennifer jordan computer internet samsung iphone google yandex mailru vkontakte spartak zenit lokomotiv dinamo
changeme default secret trustno1 whatever starwars pokemon naruto nikita natasha marina tatiana svetlana ekaterina
aleksandr alexander vladimir dmitriy andrey sergey maksim maxim kirill privet parol lubov lyubov solnce solnyshko
zaichik zayka kotenok malysh rossiya russia moskva moscow klinika clinic doctor hospital medicina bolnica ordinator
пароль парольпароль йцукен йцукенг йцукенгш йцукенгшщз фывапр фывапролд фывапролдж ячсмить ячсмитьбю привет любовь
солнышко зайчик котенок малыш россия москва клиника больница доктор медицина администратор админ ординатор наташа
марина татьяна светлана екатерина александр владимир дмитрий андрей сергей максим кирилл спартак зенит
`
const common: ReadonlySet<string> = new Set(words.trim().split(/\s+/))

/** Keyboard rows and repeated short pieces: 12345678, 87654321, 1234qwer, abcabcab. */
const rows = [
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю',
]

/** True for a common password. */
export function isCommon(password: string): boolean {
  const word = password.toLowerCase()
  const bare = word.replace(/^\P{L}+|\P{L}+$/gu, '')
  return common.has(word) || common.has(bare) || isRun(word) || isRepeat(word)
}

/** True when the password consists of keyboard runs of four or more keys, in either direction. */
function isRun(word: string): boolean {
  let at = 0
  while (at < word.length) {
    let length = 4
    const along = (piece: string) =>
      rows.some((row) => row.includes(piece) || row.includes([...piece].toReversed().join('')))
    if (word.length - at < length || !along(word.slice(at, at + length))) return false
    while (at + length < word.length && along(word.slice(at, at + length + 1))) length++
    at += length
  }
  return true
}

const isRepeat = (word: string): boolean => /^(.{1,4})\1+$/u.test(word)
