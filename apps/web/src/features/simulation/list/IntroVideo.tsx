import { listTexts as texts } from '../../../texts/simulation.ts'
import classes from './SimulationListScreen.module.css'

// Only files that exist end up here: without a film the page has no gap for one.
const files = import.meta.glob<string>('./video/*.{webm,mp4,vtt,jpg,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
})

const find = (...names: string[]) => names.map((name) => files[`./video/${name}`]).find((url) => url)
const WEBM = find('introduction.webm')
const MP4 = find('introduction.mp4')
const CAPTIONS = find('introduction.vtt')

/** Introduction film of the simulation: `video/introduction.{webm,mp4,vtt,jpg}` beside this file. */
export function IntroVideo() {
  if (WEBM === undefined && MP4 === undefined) return null
  return (
    <video
      className={classes.video}
      controls
      preload="none"
      playsInline
      poster={find('introduction.webp', 'introduction.jpg')}
      aria-label={texts.video}
      // Not as `default` on the track: Chromium keeps a film with a track that waits for it, and its page, for good.
      onLoadedMetadata={({ currentTarget: { textTracks } }) => {
        textTracks[0].mode = 'showing'
      }}
    >
      {WEBM && <source src={WEBM} type="video/webm" />}
      {MP4 && <source src={MP4} type="video/mp4" />}
      <track kind="captions" srcLang="fr" label="Français" src={CAPTIONS} />
    </video>
  )
}
