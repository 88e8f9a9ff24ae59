import classes from './first-steps.module.css'
import { PutAwayButton } from './put-away-button.tsx'
import { Section } from './section.tsx'

/** Says that this shop has invented data, and how to begin with a real one. */
export function SampleNote() {
  return (
    <Section title="This is a sample shop" aside={<PutAwayButton what="sample" name="the note on the sample shop" />}>
      <div className={classes['sample']}>
        <p>
          Its devices, customers and sales are made up, so try everything. Only emails can be real: they are sent if a
          mail server is set up.
        </p>
        <p>
          To start with an empty shop of your own, stop Backstock, remove its data folder (Backstock prints the path
          when it starts), and start it with <code>SAMPLE_DATA=0 npm start</code>. The first steps then appear here.
        </p>
      </div>
    </Section>
  )
}
