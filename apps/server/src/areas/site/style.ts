/**
 * The style sheet of the site, generated from the clinic's theme. Its values are colours and numbers validated by the
 * theme.
 */
import { inkOn, type SiteTheme } from '@ordinator/model/areas/site/theme'
import type { Row } from '@ordinator/model/entity'

type Theme = Row<typeof SiteTheme>

const fonts: Record<Theme['font'], string> = {
  system: 'system-ui,-apple-system,"Segoe UI",Roboto,sans-serif',
  inter: '"Inter",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif',
  serif: 'Georgia,"Times New Roman",serif',
}

const colours = (accent: string, background: string, surface: string, ink: string): string =>
  `--accent:${accent};--on:${inkOn(accent)};--page:${background};--soft:${surface};--ink:${ink};--line:color-mix(in srgb,${ink} 18%,${background});--dim:color-mix(in srgb,${ink} 80%,${background})`

/** Colours and font of the site for the patients' portal, as its variables. */
export function portalStyleOf(theme: Theme): string {
  const of = (accent: string, background: string, surface: string, ink: string): string =>
    `--accent:${accent};--on:${inkOn(accent)};--page:${background};--card:${surface};--text:${ink};--line:color-mix(in srgb,${ink} 18%,${background});--quiet:color-mix(in srgb,${ink} 80%,${background})`
  return [
    theme.font === 'inter' && interFaces('/site'),
    `html:root{color-scheme:light${theme.hasDark ? ' dark' : ''};${of(theme.accent, theme.background, theme.surface, theme.ink)}}`,
    theme.hasDark &&
      `@media (prefers-color-scheme:dark){html:root{${of(theme.darkAccent, theme.darkBackground, theme.darkSurface, theme.darkInk)}}}`,
    `html body{font-family:${fonts[theme.font]}}`,
  ]
    .filter(Boolean)
    .join('')
}

/** @param base prefix of the site */
function interFaces(base: string): string {
  const face = (name: string, range: string) =>
    `@font-face{font-family:"Inter";font-weight:100 900;font-display:swap;src:url("${base}/fonts/${name}.woff2") format("woff2");unicode-range:${range}}`
  return (
    face('cyrillic', 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116') +
    face('latin', 'U+0000-00FF,U+2000-206F,U+20AC,U+20BD,U+2122')
  )
}

/** @param base prefix of the site, for its fonts */
export function styleOf(theme: Theme, base: string): string {
  return [
    theme.font === 'inter' && interFaces(base),
    `:root{color-scheme:light${theme.hasDark ? ' dark' : ''};--radius:${theme.radius}px;${colours(theme.accent, theme.background, theme.surface, theme.ink)}}`,
    theme.hasDark &&
      `@media (prefers-color-scheme:dark){:root{${colours(theme.darkAccent, theme.darkBackground, theme.darkSurface, theme.darkInk)}}}`,
    `body{font:17px/1.6 ${fonts[theme.font]}}`,
    REST,
  ]
    .filter(Boolean)
    .join('')
}

const REST = `
*{box-sizing:border-box}
html{scroll-padding-top:88px;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);overflow-wrap:break-word}
img{max-width:100%;height:auto;display:block}
a{color:var(--accent);text-underline-offset:3px}
a:focus-visible,button:focus-visible,summary:focus-visible,input:focus-visible,textarea:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
h1,h2,h3{line-height:1.2;margin:0 0 .5em;text-wrap:balance}
h1{font-size:clamp(30px,5vw,46px);letter-spacing:-.02em}
h2{font-size:clamp(24px,3.4vw,32px);letter-spacing:-.01em}
h3{font-size:19px}
p{margin:0 0 1em}
small,.dim{color:var(--dim);font-size:15px}
table{border-collapse:collapse;width:100%}
th,td{padding:10px 12px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{font-size:15px;color:var(--dim);font-weight:600}
.num{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.num .stock{display:block}
.wide{overflow-x:auto;margin-bottom:32px}
th.num{width:9em}
.skip{position:absolute;left:-9999px}
.skip:focus{left:8px;top:8px;z-index:3;padding:8px 12px;background:var(--page)}
.room{max-width:1120px;margin:0 auto;padding:0 20px}
header.top{position:sticky;top:0;z-index:2;background:var(--page);border-bottom:1px solid var(--line)}
header.top .room{display:flex;align-items:center;gap:8px 28px;min-height:68px;padding-top:8px;padding-bottom:8px}
.brand{display:flex;align-items:center;gap:12px;color:inherit;text-decoration:none;font-weight:700;font-size:19px;line-height:1.25}
.brand img{height:44px;width:auto;max-width:160px;object-fit:contain}
.brand small{display:block;font-weight:400;font-size:14px}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:0 18px;margin:0;padding:0}
nav a{display:inline-block;padding:8px 0;color:inherit;text-decoration:none}
nav a:hover,nav a[aria-current]{color:var(--accent);text-decoration:underline}
.top nav{margin-inline-start:auto}
.top .call{white-space:nowrap;font-weight:600;text-decoration:none}
.reach{display:flex;flex-direction:column;gap:2px;white-space:nowrap}
.reach .own{font-size:15px}
.menu{display:none}
main{min-height:50vh}
section{padding:36px 0}
.named{padding:28px 0 0}.named h1{margin:0}
section+section{border-top:1px solid var(--line)}
.crumbs{padding-top:20px;font-size:15px}
.crumbs ol{list-style:none;display:flex;flex-wrap:wrap;gap:8px;margin:0;padding:0;color:var(--dim)}
.crumbs li+li::before{content:"›";margin-inline-end:8px}
.hero{display:grid;grid-template-columns:1fr;gap:32px;align-items:center;padding:28px 0}
.hero.two{grid-template-columns:1.1fr .9fr}
.hero p{font-size:19px;color:var(--dim);max-width:46ch}
.hero img,.pic img{width:100%;border-radius:var(--radius)}
.button,button{display:inline-block;padding:13px 24px;border:0;border-radius:var(--radius);background:var(--accent);color:var(--on);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
.button:hover,button:hover{filter:brightness(1.08)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,250px),1fr));gap:18px;list-style:none;margin:0;padding:0}
.card{display:flex;flex-direction:column;gap:6px;background:var(--soft);border-radius:var(--radius);padding:20px;min-width:0}
.card>:last-child{margin-bottom:0}
.card h3{margin:0}
.card h3 a{text-decoration:none}
.card img{border-radius:calc(var(--radius)*.7);aspect-ratio:16/10;object-fit:cover;width:100%;margin-bottom:6px}
.card .face{aspect-ratio:1;max-width:140px}
.letters{display:grid;place-items:center;width:72px;height:72px;border-radius:50%;background:var(--accent);color:var(--on);font-weight:700;font-size:22px;margin-bottom:6px}
.card .portrait img{width:72px;height:72px;aspect-ratio:1;border-radius:50%}
.portrait.large img{width:min(100%,280px);aspect-ratio:4/5;object-fit:cover;border-radius:var(--radius);margin-bottom:18px}
.offer{margin:0 0 8px}.cost{font-weight:700;font-variant-numeric:tabular-nums}.price{font-weight:700;margin:auto 0 0;padding-top:6px;font-variant-numeric:tabular-nums}
.gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,240px),1fr));gap:12px;list-style:none;margin:0;padding:0}
.gallery img{border-radius:var(--radius);aspect-ratio:4/3;object-fit:cover;width:100%}
figure{margin:0}figcaption{margin-top:8px;color:var(--dim);font-size:15px}
.more{margin:20px 0 0}
details{border-bottom:1px solid var(--line);padding:6px 0}
summary{cursor:pointer;padding:10px 0;font-weight:600}
.stars{color:var(--accent);letter-spacing:2px}
blockquote{margin:0}
.prose{max-width:72ch}
.prose table{display:block;overflow-x:auto}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:8px 24px;margin:0}
.facts dt{color:var(--dim)}.facts dd{margin:0}
.times{display:flex;flex-wrap:wrap;gap:8px;list-style:none;padding:0;margin:0 0 1em}
.times li{border:1px solid var(--line);border-radius:var(--radius);font-variant-numeric:tabular-nums}
.times time{display:block;padding:8px 14px}
.times a{display:block;border-radius:inherit;text-decoration:none}
.times a:hover{background:var(--accent);color:var(--on)}
.times+h3{margin-top:1em}
.card .times{margin:4px 0 0}
.top .book{padding:9px 18px;white-space:nowrap}
.choose{display:flex;flex-wrap:wrap;align-items:end;gap:12px 18px}
.choose label{flex:1 1 220px;margin:0}
select{display:block;width:100%;margin-top:6px;padding:11px 12px;border:1px solid var(--dim);border-radius:calc(var(--radius)*.7);background:var(--page);color:inherit;font:inherit}
form.ask{max-width:560px}
label{display:block;margin:0 0 16px;font-weight:600}
input:not([type=checkbox]),textarea{display:block;width:100%;margin-top:6px;padding:11px 12px;border:1px solid var(--dim);border-radius:calc(var(--radius)*.7);background:var(--page);color:inherit;font:inherit}
.agree{display:flex;gap:10px;align-items:flex-start;font-weight:400;font-size:15px}
.agree input{flex:none;width:20px;height:20px;margin:2px 0 0;accent-color:var(--accent)}
.wrong{padding:12px 16px;border:2px solid currentColor;border-radius:var(--radius);font-weight:600}
.away{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
.find{display:flex;gap:8px;max-width:560px;margin-bottom:28px}
.find input{margin:0;flex:1;min-width:0}
.pages{display:flex;flex-wrap:wrap;gap:8px 20px;list-style:none;padding:0;margin:24px 0 0}
footer.end{margin-top:36px;background:var(--soft);padding:32px 0;font-size:15px}
footer.end .room{display:grid;grid-template-columns:2fr 1fr 1fr;gap:24px}
footer.end ul{display:block;list-style:none;margin:0;padding:0}
footer.end li{padding:3px 0}footer.end li a{padding:0}
footer.end p{margin:0 0 8px}
@media (max-width:760px){
body{font-size:16px}
.hero.two,footer.end .room{grid-template-columns:1fr}
.top nav.flat{display:none}
.menu{display:block;margin-inline-start:auto;border:0;padding:0}
.menu summary{padding:10px 14px;border:1px solid var(--line);border-radius:var(--radius);list-style:none}
.menu nav{position:absolute;inset-inline:0;top:100%;padding:12px 20px;background:var(--page);border-bottom:1px solid var(--line);max-height:80vh;overflow-y:auto}
.menu nav ul{flex-direction:column}
.reach{display:none}
.top .book{margin-inline-start:auto;padding:9px 14px}
.book+.menu{margin-inline-start:0}
.menu .call{display:block}.menu .own{font-weight:600}
header.top .room{gap:8px 10px}
.brand{flex:1;min-width:0;font-size:16px}.brand small{display:none}
.facts{grid-template-columns:1fr;gap:2px}.facts dd{margin-bottom:10px}
section{padding:26px 0}
}
@media (max-width:400px){
.brand{font-size:15px;hyphens:auto}
.top .book,.menu summary{padding:10px}
header.top .room{gap:8px}
}
@media print{header.top,footer.end,form,.crumbs{display:none}}
`
