/** All tests in one process, so that they share one program and one browser. */
import "./play.test.mjs";
import "./watch.test.mjs";
import "./live.test.mjs";
import "./write.test.mjs";
import "./look.test.mjs";
import "./last.test.mjs";
import "./moves.test.mjs";
import "./explain.test.mjs";
import "./defects.test.mjs";
import "./video.test.mjs";
